import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { address, visit } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { priceList, subscriptionOf } from '../../../test/plans.ts'

const ids = [1, 2, 3, 4, 5].map(n => `00000000-0000-4000-8000-00000000000${n}`)
const at = '2026-11-20T09:31:00.000Z'

const member = (n: number, change: Record<string, unknown> = {}) => ({
  id: ids[n],
  you: false,
  name: 'Tomás Ribeiro',
  first_name: 'Tomás',
  last_name: 'Ribeiro',
  email: `member${n}@northquay.studio`,
  avatar: null,
  permission: 'user',
  verified: true,
  status: 'verified',
  last_login: at,
  date_created: at,
  editable: false,
  ...change,
})
const invite = {
  id: ids[4],
  email: 'jonah@millrace.co',
  permission: 'user',
  date_sent: at,
  status: 'invited',
  expired: false,
}
const users = [
  member(0, { you: true, name: 'Mara Aldous', permission: 'owner' }),
  member(1, { name: 'Ada Byrne', permission: 'admin' }),
  member(2, { name: 'Inês Carvalho', permission: 'developer', last_login: null }),
  member(3, { name: 'Oskar Svensson', verified: false, status: 'registered', editable: true }),
]
const team = { users, invites: [invite], order: ids, seats: { used: 4, held: 1, limit: 20 } }

async function open(permission: 'owner' | 'admin' = 'owner', path = '/account/users') {
  const page = await visit({ path, user: sessionUser({ permission, plan: 'startup' }) })
  page.server
    .answer('team.list', { json: { data: team, page: { start: 1, total: 5, previous: null, next: 'more' } } })
    .answer('team.permissions', { data: { admin: { label: 'Administrator' }, user: { label: 'User' } } })
    .answer('billing.plans', { data: priceList({ active: 'startup' }) })
    .answer('billing.subscription', { data: subscriptionOf() })
  page.open()
  await screen.findByText('Ada Byrne')
  return page
}
const line = (text: string) => {
  const row = screen.getAllByRole('row').find(one => one.textContent?.includes(text))
  if (!row) throw new Error(`No row with ${text}`)
  return row
}
async function menuOf(page: Awaited<ReturnType<typeof open>>, text: string) {
  await page.keyboard.click(within(line(text)).getByRole('button', { name: /^Actions for/ }))
  return screen.findAllByRole('menuitem')
}
const wordsOf = (items: HTMLElement[]) => items.map(({ textContent }) => textContent)

describe('[route:/account/users] the team', () => {
  test('[screen:users.table] [screen:users.status-badges] [state:user.status] each row says who, what and since when', async () => {
    await open()
    expect(line('Mara Aldous')).toHaveTextContent('(you)')
    expect(line('Mara Aldous')).toHaveTextContent('Account Owner')
    expect(line('Inês')).toHaveTextContent('Not yet')
    expect(within(line('Ada')).getByText('Verified')).toHaveClass('badge--success')
    expect(within(line('Oskar')).getByText('Registered')).toHaveClass('badge--info')
    expect(within(line('jonah')).getByText('Invited')).toHaveClass('badge--warning')
    expect(
      await screen.findByText(/4 of 20 seats in use, 1 more held by invites. A seat is \$12.00/),
    ).toBeVisible()
  })

  test('[screen:users.actions] [screen:users.invite-actions] [rule:permission.owner-hidden] an owner may do it all, and an owner’s permission is nobody’s to edit', async () => {
    const page = await open()
    expect(wordsOf(await menuOf(page, 'Mara Aldous'))).toEqual(['Edit', 'Contact', 'Leave account'])
    await page.keyboard.keyboard('{Escape}')
    expect(wordsOf(await menuOf(page, 'Inês'))).toEqual([
      'Edit',
      'Contact',
      'Reset password',
      'Make owner',
      'Delete',
    ])
    await page.keyboard.keyboard('{Escape}')
    // Not proven: no owner can be made of them.
    expect(wordsOf(await menuOf(page, 'Oskar'))).toEqual(['Edit', 'Contact', 'Reset password', 'Delete'])
    await page.keyboard.keyboard('{Escape}')
    expect(wordsOf(await menuOf(page, 'jonah'))).toEqual(['Resend invite', 'Contact', 'Delete invite'])
  })

  test('[role:admin-only] an administrator leaves developers alone, and reads no price', async () => {
    const page = await open('admin')
    expect(wordsOf(await menuOf(page, 'Inês'))).toEqual(['Contact', 'Reset password'])
    expect(page.server.asked('billing.plans')).toEqual([])
  })

  test('[call:PATCH /api/user by id] what can’t be changed is read, and what was not touched is not sent', async () => {
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

  test('[error:invite-resend] an invite that can’t be sent again is told as every failure', async () => {
    const page = await open()
    page.server.answer('team.invite', { status: 403, json: { message: 'Your role does not allow this.' } })
    await page.keyboard.click((await menuOf(page, 'jonah'))[0] ?? document.body)
    expect(await screen.findByText('Your role does not allow this.')).toBeVisible()
    expect(page.server.asked('team.invite')[0]?.body).toEqual({
      email: 'jonah@millrace.co',
      permission: 'user',
    })
  })

  test('order, search and page go to the server and stand in the address', async () => {
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
})
