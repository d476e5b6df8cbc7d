import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { address } from '../../../test/app.tsx'
import { quoteOf } from '../../../test/plans.ts'
import { ids, line, listed, member, menuOf, openTeam as open, wordsOf } from '../../../test/team.ts'

describe('[route:/account/users] the team', () => {
  test('[screen:users.table] [screen:users.status-badges] [state:user.status] each row shows name, role, status and dates', async () => {
    await open()
    expect(line('Mara Aldous')).toHaveTextContent('(you)')
    expect(line('Mara Aldous')).toHaveTextContent('Account Owner')
    expect(line('Inês')).toHaveTextContent('Never')
    expect(within(line('Ada')).getByText('Verified')).toHaveClass('badge--success')
    expect(within(line('Oskar')).getByText('Registered')).toHaveClass('badge--info')
    expect(within(line('jonah')).getByText('Invited')).toHaveClass('badge--warning')
    expect(
      await screen.findByText(/4 of 20 seats in use, 1 more held by invites. Each seat costs \$12.00/),
    ).toBeVisible()
  })

  test('[screen:users.actions] [screen:users.invite-actions] [rule:permission.owner-hidden] an owner has all actions, except editing an owner’s role', async () => {
    const page = await open()
    expect(wordsOf(await menuOf(page, 'Mara Aldous'))).toEqual(['Edit', 'Contact', 'Leave account'])
    await page.keyboard.keyboard('{Escape}')
    expect(wordsOf(await menuOf(page, 'Inês'))).toEqual([
      'Edit',
      'Contact',
      'Reset password',
      'Sign out everywhere',
      'Make owner',
      'Delete',
    ])
    await page.keyboard.keyboard('{Escape}')
    // An unverified user can't become an owner.
    expect(wordsOf(await menuOf(page, 'Oskar'))).toEqual([
      'Edit',
      'Contact',
      'Reset password',
      'Sign out everywhere',
      'Delete',
    ])
    await page.keyboard.keyboard('{Escape}')
    expect(wordsOf(await menuOf(page, 'jonah'))).toEqual(['Resend invite', 'Contact', 'Delete invite'])
  })

  test('[role:admin-only] an administrator can’t manage developers and sees no price', async () => {
    const page = await open('admin')
    expect(wordsOf(await menuOf(page, 'Inês'))).toEqual(['Contact', 'Reset password'])
    expect(page.server.asked('billing.plans')).toEqual([])
  })

  test('the only owner reads why they can’t leave, and no password is asked for', async () => {
    const page = await open()
    await page.keyboard.click((await menuOf(page, 'Mara Aldous')).at(-1) ?? document.body)
    const dialog = within(await screen.findByRole('dialog', { name: /^You can’t leave .+ yet$/ }))
    expect(dialog.getByText(/^You’re the only owner/)).toBeVisible()
    expect(dialog.queryByLabelText('Your password')).toBeNull()
    await page.keyboard.click(dialog.getByRole('button', { name: 'Open your profile' }))
    await waitFor(() => expect(address()).toBe('/account/profile'))
  })

  test('an owner beside another one can leave with the password', async () => {
    const one = listed()
    const page = await open('owner', '/account/users', undefined, {
      json: { ...one, data: { ...one.data, only_owner: false } },
    })
    await page.keyboard.click((await menuOf(page, 'Mara Aldous')).at(-1) ?? document.body)
    expect(await screen.findByLabelText('Your password')).toBeVisible()
  })

  test('[call:PATCH /api/user by id] fixed fields are read-only, and unchanged fields are not sent', async () => {
    const page = await open()
    page.server.answer('profile.update', { data: member(2), message: 'User saved' })
    await page.keyboard.click((await menuOf(page, 'Inês'))[0] ?? document.body)
    const role = await screen.findByLabelText('Permission')
    expect(screen.getByLabelText('First name')).toHaveAttribute('readonly')
    await page.keyboard.selectOptions(role, 'admin')
    await page.keyboard.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('User saved')).toBeVisible()
    expect(page.server.asked('profile.update')[0]?.body).toEqual({ id: ids[2], permission: 'admin' })
  })

  test.each([
    ['Escape', 'admin'],
    ['Close', 'admin'],
    ['Cancel', 'unchanged'],
  ])('%s closes an edited user; opened again, the permission is %s', async (way, shown) => {
    const page = await open()
    const edit = async () => {
      await page.keyboard.click((await menuOf(page, 'Inês'))[0] ?? document.body)
      return screen.findByLabelText('Permission')
    }
    const role = await edit()
    const before = (role as HTMLSelectElement).value // as: a select
    await page.keyboard.selectOptions(role, 'admin')
    if (way === 'Escape') fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
    else await page.keyboard.click(screen.getByRole('button', { name: way }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await edit()).toHaveValue(shown === 'admin' ? 'admin' : before)
  })

  test('[error:invite-resend] an invite that can’t be resent shows the usual error', async () => {
    const page = await open()
    page.server.answer('team.invite', { status: 403, json: { message: 'Your role does not allow this.' } })
    await page.keyboard.click((await menuOf(page, 'jonah'))[0] ?? document.body)
    expect(await screen.findByText('Your role does not allow this.')).toBeVisible()
    expect(page.server.asked('team.invite')[0]?.body).toEqual({
      email: 'jonah@millrace.co',
      permission: 'user',
      quote: quoteOf(1200),
    })
  })

  test('order, search and page are in the URL and in the query', async () => {
    const page = await open()
    expect(page.server.asked('team.list')[0]?.query.toString()).toBe('sort=name&limit=50')
    await page.keyboard.click(screen.getByRole('button', { name: 'Last login' }))
    await waitFor(() => expect(address()).toBe('/account/users?sort=last_login'))
    await page.keyboard.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(address()).toBe('/account/users?sort=last_login&cursor=more'))
    await page.keyboard.type(screen.getByRole('searchbox'), 'ines')
    await waitFor(() => expect(address()).toBe('/account/users?search=ines&sort=last_login'))
    const asked = page.server.asked('team.list').at(-1)
    expect(asked?.query.get('search')).toBe('ines')
  })

  test('[text:form.email-please] [rule:invite.email] a user created at once needs one valid address', async () => {
    const page = await open()
    await page.keyboard.click(screen.getByRole('button', { name: 'Create user' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create user' }))
    await page.keyboard.type(await dialog.findByLabelText('Email addresses'), 'bram@northquay ')
    await page.keyboard.click(dialog.getByRole('switch', { name: 'Set a password for them' }))
    await page.keyboard.click(dialog.getByRole('button', { name: 'Create user' }))
    expect(await dialog.findByText('Please enter a valid email address')).toBeVisible()
    expect(dialog.getByText('Enter the password again')).toBeVisible()
    expect(page.server.asked('team.invite')).toEqual([])
  })

  test.each(['Cancel', 'Close', 'Escape'])('%s asks before it discards a typed user', async way => {
    const page = await open()
    const start = async () => {
      await page.keyboard.click(screen.getByRole('button', { name: 'Create user' }))
      return within(await screen.findByRole('dialog', { name: 'Create user' }))
    }
    const first = await start()
    const leave = async () => {
      if (way === 'Escape') fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
      else await page.keyboard.click(first.getByRole('button', { name: way }))
    }
    await page.keyboard.selectOptions(await first.findByLabelText('Permission'), 'admin')
    await page.keyboard.click(first.getByRole('switch', { name: 'Set a password for them' }))
    await page.keyboard.type(first.getByLabelText('Email address'), 'bram@northquay.studio ')
    await page.keyboard.type(first.getByLabelText(/^Password/), 'stone!123')
    await leave()
    expect(first.getByText('Discard what you’ve entered?')).toBeVisible()
    expect(first.getByRole('button', { name: 'Keep editing' })).toHaveFocus()
    await page.keyboard.click(first.getByRole('button', { name: 'Keep editing' }))
    expect(first.getByText('bram@northquay.studio')).toBeVisible()
    expect(first.getByLabelText(/^Password/)).toHaveValue('stone!123')
    await leave()
    await page.keyboard.click(first.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const second = await start()
    expect(await second.findByLabelText('Permission')).toHaveValue('user')
    expect(second.queryByText('bram@northquay.studio')).toBeNull()
    expect(second.getByRole('switch', { name: 'Set a password for them' })).not.toBeChecked()
  })

  test.each([
    ['an address without a separator', 'Email addresses', 'bram@northquay.studio'],
    ['a name', 'First name', 'Bram'],
    ['a permission', 'Permission', 'admin'],
  ])('Escape asks before it discards %s', async (_what, label, words) => {
    const page = await open()
    await page.keyboard.click(screen.getByRole('button', { name: 'Create user' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create user' }))
    await dialog.findByLabelText('Permission')
    if (label === 'First name')
      await page.keyboard.click(dialog.getByRole('switch', { name: 'Set a password for them' }))
    const field = dialog.getByLabelText(label)
    if (label === 'Permission') await page.keyboard.selectOptions(field, words)
    else await page.keyboard.type(field, words)
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
    expect(dialog.getByText('Discard what you’ve entered?')).toBeVisible()
    await page.keyboard.click(dialog.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('Cancel without changes closes the dialog at once', async () => {
    const page = await open()
    await page.keyboard.click(screen.getByRole('button', { name: 'Create user' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create user' }))
    await dialog.findByLabelText('Permission')
    await page.keyboard.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('sends only the changed fields of a member, and Cancel drops the draft', async () => {
    const page = await open()
    page.server.answer('profile.update', { data: member(3), message: 'User saved' })
    const edit = async () => {
      await page.keyboard.click((await menuOf(page, 'Oskar'))[0] ?? document.body)
      return screen.findByLabelText('Last name')
    }
    await page.keyboard.type(await edit(), ' Ek')
    await page.keyboard.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await edit()).toHaveValue('Ribeiro')
    await page.keyboard.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(page.server.asked('profile.update')).toEqual([])
    await page.keyboard.type(await edit(), ' Ek')
    await page.keyboard.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('User saved')).toBeVisible()
    expect(page.server.asked('profile.update')[0]?.body).toEqual({ id: ids[3], last_name: 'Ribeiro Ek' })
  })

  test('several addresses with a password show an error at once; the texts follow the switch', async () => {
    const page = await open()
    await page.keyboard.click(screen.getByRole('button', { name: 'Create user' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create user' }))
    const emails = await dialog.findByLabelText('Email addresses')
    await page.keyboard.click(emails)
    await page.keyboard.paste('Bob Smith <bob@smith.example>, BOB@smith.example; ada@x.example')
    expect(dialog.getByRole('button', { name: 'Send 2 invites' })).toBeVisible()
    await page.keyboard.click(dialog.getByRole('switch', { name: 'Set a password for them' }))
    expect(dialog.getByText('Enter one address. Each user gets their own password.')).toBeVisible()
    expect(dialog.getByText('The user is added right away and gets no invite.')).toBeVisible()
    await page.keyboard.click(dialog.getByRole('switch', { name: 'Set a password for them' }))
    expect(dialog.queryByText(/^Enter one address/)).toBeNull()
  })

  test('a plan without a free seat says so before typing, with a link to the plans', async () => {
    const page = await open('owner', '/account/users', { used: 19, held: 1, limit: 20 })
    await page.keyboard.click(screen.getByRole('button', { name: 'Create user' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create user' }))
    expect(await dialog.findByText('All seats on your plan are taken')).toBeVisible()
    expect(dialog.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/account/upgrade')
    expect(dialog.getByRole('button', { name: 'Send invites' })).toBeDisabled()
  })

  test('more addresses than free seats show a warning; an administrator is asked to contact an owner', async () => {
    const page = await open('admin', '/account/users', { used: 18, held: 1, limit: 20 })
    await page.keyboard.click(screen.getByRole('button', { name: 'Create user' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create user' }))
    await page.keyboard.type(await dialog.findByLabelText('Email addresses'), 'a@x.example b@x.example ')
    expect(dialog.getByText('Your plan has room for only 1 more person')).toBeVisible()
    await page.keyboard.click(dialog.getByRole('button', { name: 'Remove b@x.example' }))
    await page.keyboard.type(dialog.getByLabelText('Email addresses'), 'member1@northquay.studio ')
    expect(dialog.queryByText('Your plan has room for only 1 more person')).toBeNull()
    await page.keyboard.type(dialog.getByLabelText('Email addresses'), 'b@x.example ')
    expect(dialog.getByText(/^Ask an owner of the account/)).toBeVisible()
    expect(dialog.queryByRole('link', { name: 'See the plans' })).toBeNull()
  })

  test('deleting a row focuses the next one, and a read-only form focuses its first editable field', async () => {
    const page = await open()
    page.server.answer('profile.update', { data: member(2), message: 'User saved' })
    await page.keyboard.click((await menuOf(page, 'Inês'))[0] ?? document.body)
    expect(await screen.findByLabelText('Permission')).toHaveFocus()
    await page.keyboard.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(within(line('Inês')).getByRole('button')).toHaveFocus())
    page.server
      .answer(`DELETE /api/user/${ids[2]}`, { data: { signout: false }, message: 'User deleted' })
      .answer('team.list', { json: { ...listed(), data: { ...listed().data, order: ids.toSpliced(2, 1) } } })
    await page.keyboard.click((await menuOf(page, 'Inês')).at(-1) ?? document.body)
    await page.keyboard.click(await screen.findByRole('button', { name: 'Delete user' }))
    await waitFor(() => expect(screen.queryByText('Inês Carvalho')).toBeNull())
    await waitFor(() => expect(within(line('Oskar')).getByRole('button')).toHaveFocus())
  })

  test('an invalid cursor shows the first page; a status filter without a match can be cleared', async () => {
    const page = await open('owner', '/account/users?cursor=mangled', undefined, ({ query }) =>
      query.get('cursor')
        ? { status: 400, json: { message: 'The cursor is not valid', inputError: 'cursor' } }
        : query.get('status')
          ? { json: listed([]) }
          : { json: listed() },
    )
    await page.keyboard.click(screen.getByRole('button', { name: 'Status: All' }))
    await page.keyboard.click(await screen.findByRole('menuitemcheckbox', { name: 'Registered' }))
    await page.keyboard.click(await screen.findByRole('button', { name: 'Clear the filter' }))
    expect(await screen.findByText('Ada Byrne')).toBeVisible()
    expect(address()).toBe('/account/users')
  })
})
