import { cleanup, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { sessionUser } from '../../../../test/people.ts'
import { session } from '../../../lib/session/store.ts'

/** Collects every text that is rendered from now on, including short-lived ones. */
function everShown(): () => string {
  let all = ''
  const watching = new MutationObserver(() => {
    all += document.body.textContent
  })
  watching.observe(document.body, { subtree: true, childList: true, characterData: true })
  return () => all
}

type Visitor = Awaited<ReturnType<typeof visit>>

async function fill({ keyboard }: Visitor, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) {
    const field = await screen.findByLabelText(label)
    await keyboard.clear(field)
    await keyboard.type(field, value)
  }
}

const mara = {
  'First name': 'Mara',
  'Last name': 'Aldous',
  'Work email': 'mara@northquay.studio',
  Password: 'limestone!',
  'Confirm password': 'limestone!',
}

describe('[route:/signup]', () => {
  test('signs up and continues with the verification', async () => {
    const visitor = await visit({ path: '/signup' })
    visitor.server.answer('accounts.signUp', { data: sessionUser({ verified: false, plan: null }) })
    visitor.open()
    await fill(visitor, mara)
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Create account' }))
    await waitFor(() => expect(address()).toBe('/signup/verify'))
    const [asked] = visitor.server.asked('accounts.signUp')
    expect(asked?.body).toEqual({
      first_name: 'Mara',
      last_name: 'Aldous',
      email: 'mara@northquay.studio',
      password: 'limestone!',
      confirm_password: 'limestone!',
    })
    expect(asked?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
    expect(session.get()?.verified).toBe(false)
  })

  test('a signed-in user sees whose session a sign-up replaces, and the sign-up ends it', async () => {
    const visitor = await visit({ path: '/signup', user: sessionUser() })
    visitor.server
      .answer('accounts.signUp', { data: sessionUser({ token: 'token-2', verified: false, plan: null }) })
      .answer('auth.signOut', { data: {} })
    visitor.open()
    expect(await screen.findByText('You’re signed in as Mara Aldous')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Stay signed in' })).toHaveAttribute('href', '/dashboard')
    await fill(visitor, mara)
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Create account' }))
    await waitFor(() => expect(address()).toBe('/signup/verify'))
    expect(session.get()?.token).toBe('token-2')
    const [ended] = visitor.server.asked('auth.signOut')
    expect(ended?.headers.get('authorization')).toBe('Bearer token-of-mara')
  })

  test('[rule:signup.required] every empty field shows its message', async () => {
    const visitor = await visit({ path: '/signup' })
    visitor.open()
    await visitor.keyboard.click(await screen.findByRole('button', { name: 'Create account' }))
    for (const words of [
      'First name is required',
      'Last name is required',
      'Work email is required',
      'Password is required',
      'Enter the password again',
    ]) {
      expect(await screen.findByText(words)).toBeVisible()
    }
    await fill(visitor, { 'Work email': 'mara', Password: 'short', 'Confirm password': 'other' })
    expect(await screen.findByText('Enter a valid email address')).toBeVisible()
    expect(screen.getByText('Enter at least 8 characters')).toBeVisible()
    expect(screen.getByText('Passwords do not match')).toBeVisible()
    await fill(visitor, { Password: 'limestone1' })
    expect(await screen.findByText('Add at least one special character, such as ! or ?')).toBeVisible()
    expect(visitor.server.asked('accounts.signUp')).toHaveLength(0)
  })

  test('the password rules are shown before typing', async () => {
    const visitor = await visit({ path: '/signup' })
    visitor.open()
    expect(await screen.findByLabelText('Password')).toHaveAccessibleDescription(
      'At least 8 characters, one of them special, such as\u00a0!\u00a0or\u00a0?',
    )
  })

  test('going back and returning restores the draft without the passwords', async () => {
    const visitor = await visit({ path: '/signup' })
    visitor.open()
    await fill(visitor, mara)
    await visitor.keyboard.click(screen.getByRole('link', { name: 'Sign in' }))
    await visitor.keyboard.click(await screen.findByRole('link', { name: 'Create an account' }))
    expect(await screen.findByLabelText('Work email')).toHaveValue('mara@northquay.studio')
    expect(screen.getByLabelText('Password')).toHaveValue('')
  })
})

const invite = (change: Record<string, unknown> = {}) => ({
  account_name: 'Northquay Studio',
  inviter: 'Mara Aldous',
  permission: 'Developer',
  email: 'tomas@northquay.studio',
  first_name: '',
  last_name: '',
  has_user: false,
  signed_in: 'no',
  ...change,
})
const link = '/signup/user?email=tomas%40northquay.studio&id=secret-1'

describe('[route:/signup/user] [route:/signup/user?email=&id=]', () => {
  test('the mailed link fills in the address and sends the invite’s secret', async () => {
    const visitor = await visit({ path: link })
    visitor.server.answer('team.previewInvite', { data: invite({ first_name: 'Tomás' }) })
    visitor.server.answer('accounts.acceptInvite', {
      data: sessionUser({ name: 'Tomás Ribeiro', permission: 'developer', onboarded: false }),
    })
    visitor.open()
    expect(await screen.findByText('Mara Aldous invited you. Your permission: Developer.')).toBeVisible()
    expect(screen.getByLabelText('Email')).toHaveValue('tomas@northquay.studio')
    expect(screen.getByLabelText('Email')).toHaveAttribute('readonly')
    expect(screen.getByLabelText('First name')).toHaveValue('Tomás')
    await fill(visitor, {
      'Last name': 'Ribeiro',
      Password: 'limestone!',
      'Confirm password': 'limestone!',
    })
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Join' }))
    await waitFor(() => expect(address()).toBe('/welcome'))
    // Joining uses up the link, so it is not checked again.
    expect(visitor.server.asked('team.previewInvite').map(({ body }) => body)).toEqual([
      { invite_id: 'secret-1' },
    ])
    expect(visitor.server.asked('accounts.acceptInvite')[0]?.body).toMatchObject({
      first_name: 'Tomás',
      email: 'tomas@northquay.studio',
      invite_id: 'secret-1',
    })
  })

  test('an error without a field appears as a toast', async () => {
    const visitor = await visit({ path: link })
    visitor.server.answer('team.previewInvite', { data: invite() })
    visitor.server.answer('accounts.acceptInvite', {
      status: 409,
      json: { message: 'There is no free seat in this account', code: 'account_full' },
    })
    visitor.open()
    await fill(visitor, {
      'First name': 'A',
      'Last name': 'B',
      Password: 'limestone!',
      'Confirm password': 'limestone!',
    })
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Join' }))
    expect(await screen.findByText('There is no free seat in this account')).toBeVisible()
  })

  test('an invited user with an account signs in first and returns to the invite', async () => {
    const visitor = await visit({ path: link })
    visitor.server.answer('team.previewInvite', { data: invite({ has_user: true }) })
    visitor.open()
    const button = await screen.findByRole('button', { name: 'Sign in to join' })
    const shown = everShown()
    await visitor.keyboard.click(button)
    await waitFor(() => expect(address()).toBe('/login'))
    expect(await screen.findByLabelText('Email')).toHaveValue('tomas@northquay.studio')
    // The user has no plan: the invite comes before the choice of a plan.
    visitor.server.answer('auth.signIn', { data: sessionUser({ plan: null, subscription: null }) })
    visitor.server.answer('team.previewInvite', { data: invite({ has_user: true, signed_in: 'as_invited' }) })
    await fill(visitor, { Password: 'limestone!' })
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Login' }))
    await waitFor(() => expect(address()).toBe(link))
    expect(shown()).not.toContain('incomplete')
    visitor.server.answer('team.accept', {
      data: sessionUser({ token: 'another', permission: 'developer' }),
      message: 'You joined Northquay Studio',
    })
    await visitor.keyboard.click(await screen.findByRole('button', { name: 'Join Northquay Studio' }))
    await waitFor(() => expect(address()).toBe('/dashboard'))
    expect(shown()).not.toContain('incomplete')
    expect(session.get()?.token).toBe('another')
    expect(visitor.server.asked('team.accept')[0]?.body).toEqual({ invite_id: 'secret-1' })
    // Once before the sign-in and once after it; not again after joining.
    expect(visitor.server.asked('team.previewInvite')).toHaveLength(2)
  })

  test('another signed-in user is asked before being signed out', async () => {
    const visitor = await visit({ path: link, user: sessionUser() })
    visitor.server.answer('team.previewInvite', { data: invite({ has_user: false, signed_in: 'as_other' }) })
    visitor.open()
    expect(
      await screen.findByText('This invite is for tomas@northquay.studio. You’re signed in as Mara Aldous.'),
    ).toBeVisible()
    expect(session.get()).not.toBeNull()
    visitor.server.answer('auth.signOut', { data: {} })
    visitor.server.answer('team.previewInvite', { data: invite() })
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Sign out and continue' }))
    expect(await screen.findByRole('button', { name: 'Join' })).toBeVisible()
    expect([session.get(), address()]).toEqual([null, link])
    expect(screen.getByText('Join Northquay Studio', { selector: 'h1 *' })).toHaveFocus()
  })

  test('joining as an unverified user says that it verifies the address', async () => {
    const user = sessionUser({ verified: false, plan: null, subscription: null })
    const visitor = await visit({ path: link, user })
    visitor.server.answer('team.previewInvite', { data: invite({ signed_in: 'as_invited' }) })
    visitor.server.answer('team.accept', { data: sessionUser({ token: 'joined' }) })
    visitor.open()
    const words = 'Joining also verifies your email address tomas@northquay.studio.'
    expect(await screen.findByText(words)).toBeVisible()
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Join Northquay Studio' }))
    await waitFor(() => expect(session.get()?.token).toBe('joined'))
  })

  test('joining with the address of another user leads to the sign-in and shows only the reason', async () => {
    const user = sessionUser({ verified: false, plan: null, subscription: null })
    const visitor = await visit({ path: link, user })
    visitor.server.answer('team.previewInvite', { data: invite({ signed_in: 'as_invited' }) })
    const message = 'Sign in with the password you already had.'
    visitor.server.answer('team.accept', { status: 401, json: { message, code: 'sign_in_again' } })
    visitor.open()
    await visitor.keyboard.click(await screen.findByRole('button', { name: 'Join Northquay Studio' }))
    await waitFor(() => expect(address()).toBe('/login'))
    expect(await screen.findByText(message)).toBeVisible()
    expect(screen.queryByText('Your session has ended')).toBeNull()
  })

  test('a user who has used the invite is led to the app, not to the sign-in', async () => {
    const visitor = await visit({ path: link, user: sessionUser() })
    visitor.server.answer('team.previewInvite', {
      status: 409,
      json: { message: 'Used', code: 'invite_used' },
    })
    visitor.open()
    expect(await screen.findByText('You’ve already joined with this invite')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to the dashboard' })).toHaveAttribute('href', '/dashboard')
    expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull()
  })

  test('a signed-in user with an invalid invite is not asked to sign in', async () => {
    const visitor = await visit({ path: link, user: sessionUser() })
    visitor.server.answer('team.previewInvite', {
      status: 422,
      json: { message: 'x', code: 'invite_expired' },
    })
    visitor.open()
    expect(await screen.findByText('This invite is no longer valid')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to the dashboard' })).toHaveAttribute('href', '/dashboard')
    expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull()
  })

  test('an invalid invite says what to do; one that failed to load can be retried', async () => {
    const expired = await visit({ path: link })
    expired.server.answer('team.previewInvite', {
      status: 422,
      json: { message: 'x', code: 'invite_expired' },
    })
    expired.open()
    expect(await screen.findByText('This invite is no longer valid')).toBeVisible()
    cleanup()
    const late = await visit({ path: link })
    late.server.answer('team.previewInvite', { status: 503, json: { message: 'Busy', code: 'busy' } })
    late.open()
    late.server.answer('team.previewInvite', { data: invite() })
    await late.keyboard.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('button', { name: 'Join' })).toBeVisible()
    expect(screen.getByText('Join Northquay Studio', { selector: 'h1 *' })).toHaveFocus()
  })

  test('an invite that expires on an open page shows that in place of the form or the button', async () => {
    const refused = { status: 422, json: { message: 'x', code: 'invite_expired' } }
    const visitor = await visit({ path: link })
    visitor.server.answer('team.previewInvite', { data: invite() })
    visitor.server.answer('accounts.acceptInvite', refused)
    visitor.open()
    await fill(visitor, {
      'First name': 'Tomás',
      'Last name': 'Ribeiro',
      Password: 'limestone!',
      'Confirm password': 'limestone!',
    })
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Join' }))
    expect(await screen.findByText('This invite is no longer valid')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Join' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeVisible()
    cleanup()
    const user = await visit({ path: link, user: sessionUser() })
    user.server.answer('team.previewInvite', { data: invite({ has_user: true, signed_in: 'as_invited' }) })
    user.server.answer('team.accept', refused)
    user.open()
    await user.keyboard.click(await screen.findByRole('button', { name: 'Join Northquay Studio' }))
    expect(await screen.findByText('This invite is no longer valid')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to the dashboard' })).toBeVisible()
  })

  test('a link without its secret says what to do', async () => {
    const visitor = await visit({ path: '/signup/user' })
    visitor.open()
    expect(await screen.findByText('This invite link is incomplete')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Join' })).toBeNull()
  })
})
