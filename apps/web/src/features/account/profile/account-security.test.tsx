import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { accountOf, profileOf, sessionUser } from '../../../../test/people.ts'
import { subscriptionOf } from '../../../../test/plans.ts'
import { takeLinkToken } from '../../../lib/link-token.ts'
import { session } from '../../../lib/session/store.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

async function at(path: string, change: Parameters<typeof sessionUser>[0] = {}, more: object = {}) {
  const user = sessionUser(change)
  const visitor = await visit({ path, user })
  takeLinkToken()
  visitor.server.answer('profile.read', { data: profileOf(user, { ...more }) })
  visitor.open()
  return { ...visitor, user }
}

describe('[route:/account/password]', () => {
  test('[error:fetch] a failed load names the page and can be retried', async () => {
    const user = sessionUser()
    const { keyboard, server, open } = await visit({ path: '/account/password', user })
    server.answer('profile.read', { status: 500, json: { message: 'Not now' } })
    open()
    expect(await screen.findByRole('heading', { name: 'The password page didn’t load' })).toBeVisible()
    server.answer('profile.read', { data: profileOf(user) })
    await keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByLabelText('Current password')).toBeVisible()
    // The button is gone, so the main region has the focus.
    expect(screen.getByRole('main')).toHaveFocus()
  })

  test('[screen:password.form] [rule:password.old] changes the password: asks for the old one and continues under a new token', async () => {
    const { keyboard, server, user } = await at('/account/password')
    server.answer('profile.changePassword', {
      data: { ...user, token: 'token-2' },
      message: 'Your password is changed',
    })
    await keyboard.type(await screen.findByLabelText('Current password'), 'stone!123')
    await keyboard.type(screen.getByLabelText('New password'), 'limestone-2!')
    await keyboard.type(screen.getByLabelText('Confirm new password'), 'limestone-2!')
    await keyboard.click(screen.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText('Your password is changed')).toBeVisible()
    expect(server.asked('profile.changePassword')[0]?.body).toEqual({
      has_password: true,
      oldpassword: 'stone!123',
      newpassword: 'limestone-2!',
      confirm_password: 'limestone-2!',
    })
    expect(session.get()?.token).toBe('token-2')
    await waitFor(() => expect(screen.getByLabelText('New password')).toHaveValue(''))
    expect(document.activeElement).toHaveTextContent(/^Change password$/)
    expect(document.activeElement?.closest('h2')).not.toBeNull()
  })

  test('creates the first password without asking for an old one', async () => {
    const { keyboard, server, user } = await at('/account/password', {}, { has_password: false })
    server.answer('profile.changePassword', { data: { ...user, token: 'token-2' } })
    await keyboard.type(await screen.findByLabelText('New password'), 'limestone-2!')
    expect(screen.queryByLabelText('Current password')).toBeNull()
    await keyboard.type(screen.getByLabelText('Confirm new password'), 'limestone-2!')
    await keyboard.click(screen.getByRole('button', { name: 'Create password' }))
    await waitFor(() =>
      expect(server.asked('profile.changePassword')[0]?.body).toMatchObject({ has_password: false }),
    )
  })

  test('[rule:password.complex-everywhere] [rule:form.password.matches] checks the rules before sending, and shows the server’s error at its field', async () => {
    const { keyboard, server } = await at('/account/password')
    await keyboard.type(await screen.findByLabelText('New password'), 'limestone22')
    await keyboard.type(screen.getByLabelText('Confirm new password'), 'limestone2')
    await keyboard.click(screen.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText('Current password is required')).toBeVisible()
    expect(screen.getByText('Add at least one special character, such as ! or ?')).toBeVisible()
    expect(screen.getByText('Passwords do not match')).toBeVisible()
    expect(server.asked('profile.changePassword')).toEqual([])
    server.answer('profile.changePassword', {
      status: 422,
      json: { message: 'That’s not your password.', code: 'password_wrong', inputError: 'oldpassword' },
    })
    await keyboard.type(screen.getByLabelText('Current password'), 'wrong')
    for (const label of ['New password', 'Confirm new password']) {
      await keyboard.clear(screen.getByLabelText(label))
      await keyboard.type(screen.getByLabelText(label), 'limestone-2!')
    }
    await keyboard.click(screen.getByRole('button', { name: 'Change password' }))
    await waitFor(() =>
      expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription(/not your password/),
    )
  })
})

describe('[screen:profile.danger-zone]', () => {
  const dialog = async () => within(await screen.findByRole('alertdialog'))

  test('[rule:close.password] [text:close.password] [role:close-owner] an owner closes the account with the password and is signed out', async () => {
    const { keyboard, server } = await at('/account/profile')
    await keyboard.click(await screen.findByRole('button', { name: 'Close account' }))
    const ask = await dialog()
    await keyboard.click(ask.getByRole('button', { name: 'Close account' }))
    await waitFor(() =>
      expect(ask.getByRole('alert')).toHaveTextContent(
        'Please enter your password to confirm your account deletion.',
      ),
    )
    expect(server.asked('accounts.close')).toEqual([])
    server.answer('accounts.close', { data: { signout: true }, message: 'It is closed' })
    await keyboard.type(ask.getByLabelText('Password'), 'stone!123')
    await keyboard.click(ask.getByRole('button', { name: 'Close account' }))
    await waitFor(() => expect(address()).toBe('/login'))
    expect(server.asked('accounts.close')[0]?.body).toEqual({ password: 'stone!123' })
    expect(session.get()).toBeNull()
    expect(sessionStorage).toHaveLength(0)
  })

  test.each([
    ['free', false],
    ['startup', true],
  ])('plan %s: the text names the end of the subscription: %s', async (plan, said) => {
    await at('/account/profile', { plan })
    await screen.findByRole('button', { name: 'Close account' })
    expect(screen.queryByText(/ends the subscription today/) !== null).toBe(said)
  })

  const closing = async (plan: string, change: object, usage: object | null = null, credit = 0) => {
    const visitor = await at('/account/profile', { plan, subscription: 'active' })
    visitor.server
      .answer('billing.subscription', { data: subscriptionOf({ plan, ...change }) })
      .answer('billing.upcoming', {
        data: { credit, currency: 'usd', prorated: 0, date: null, amount: null },
      })
    if (usage) visitor.server.answer('billing.usage', usage)
    await visitor.keyboard.click(await screen.findByRole('button', { name: 'Close account' }))
    return dialog()
  }
  const running = { status: 'active', current_period_end: '2027-05-20T10:00:00.000Z' }

  test('a plan paid per seat charges nothing more, and the rest of the period is lost', async () => {
    const ask = await closing('startup_yearly', running)
    expect(
      await ask.findByText(
        'Nothing more is charged. The rest of the paid period, until May 20, 2027, is not refunded.',
      ),
    ).toBeVisible()
  })

  test('remaining credit is lost', async () => {
    const ask = await closing('startup', running, null, 19_100)
    expect(await ask.findByText(/Your credit of \$191\.00 is lost\./)).toBeVisible()
  })

  test.each([
    [
      { data: { total: 15_000, amount: 1000 } },
      'Your usage since your last invoice ($10.00 so far) is charged now.',
    ],
    [{ status: 503, json: { message: 'Not now' } }, 'Your usage since your last invoice is charged now.'],
  ])('a plan with metered usage charges the usage %#', async (usage, words) => {
    const ask = await closing('scale', running, usage)
    expect(await ask.findByText(words, { exact: false })).toBeVisible()
    expect(ask.queryByText(/Nothing more is charged/)).toBeNull()
  })

  test.each([
    [{ status: 'trialing', trial_end: '2027-05-20T10:00:00.000Z' }, /Your trial ends today\./],
    [
      {
        status: 'requires_payment_method',
        due: { amount: 2400, currency: 'usd', invoices: 1, next_attempt: null, page: null },
      },
      /We stop trying to collect the unpaid \$24\.00\./,
    ],
    [{ status: 'requires_payment_method', due: null }, /We stop trying to collect unpaid invoices\./],
  ])('a trial or an unpaid invoice names its consequence %#', async (change, words) => {
    const ask = await closing('startup', { ...running, ...change })
    expect(await ask.findByText(words)).toBeVisible()
    expect(ask.queryByText(/not refunded/)).toBeNull()
  })

  test('[role:close-other] a member leaves the account, and another account of theirs opens', async () => {
    const { keyboard, server, user } = await at(
      '/account/profile',
      { permission: 'developer' },
      { account_name: undefined },
    )
    await keyboard.click(await screen.findByRole('button', { name: 'Leave account' }))
    const ask = await dialog()
    const next = { ...user, token: 'token-2', account_id: '00000000-0000-4000-8000-0000000000a2' }
    server.answer('accounts.closeUser', { data: { signout: false, session: next } })
    expect(ask.getByText('Please enter your password to confirm that you want to leave.')).toBeVisible()
    await keyboard.type(ask.getByLabelText('Password'), 'stone!123')
    await keyboard.click(ask.getByRole('button', { name: 'Leave account' }))
    await waitFor(() => expect(session.get()?.token).toBe('token-2'))
    await waitFor(() => expect(address()).toBe('/dashboard'))
  })

  test('an owner without a password types the account’s name, then what the server asks for', async () => {
    const { keyboard, server } = await at('/account/profile', {}, { has_password: false })
    server.answer('accounts.close', {
      status: 403,
      json: { message: 'Enter a code', code: 'proof_required', inputError: 'code' },
    })
    await keyboard.click(await screen.findByRole('button', { name: 'Close account' }))
    const ask = await dialog()
    const field = ask.getByLabelText(/^Type .+ to confirm$/)
    const account = /^Type (.+) to confirm$/.exec(field.closest('.field')?.textContent ?? '')?.[1] ?? ''
    await keyboard.type(field, 'Another account')
    await keyboard.click(ask.getByRole('button', { name: 'Close account' }))
    expect(await ask.findByText(`Type the account name exactly: ${account}`)).toBeVisible()
    expect(server.asked('accounts.close')).toHaveLength(0)
    await keyboard.clear(field)
    await keyboard.type(field, account)
    await keyboard.click(ask.getByRole('button', { name: 'Close account' }))
    expect(await screen.findByLabelText('Code from your authenticator app')).toBeVisible()
    expect(server.asked('accounts.close')[0]?.body).toEqual({})
  })
})

describe('typing the account’s name to confirm', () => {
  const typed = async (words: string) => {
    const { keyboard, server } = await at(
      '/account/profile',
      { accounts: [accountOf({ name: 'Zo\u00eb’s  account' })] },
      { has_password: false },
    )
    server.answer('accounts.close', { data: { signout: true }, message: 'It is closed' })
    await keyboard.click(await screen.findByRole('button', { name: 'Close account' }))
    const ask = within(await screen.findByRole('alertdialog'))
    await keyboard.type(ask.getByLabelText(/^Type .+ to confirm$/), words)
    await keyboard.click(ask.getByRole('button', { name: 'Close account' }))
    return server
  }

  test.each([
    ['a straight apostrophe', "Zo\u00eb's account"],
    ['an accent as a separate character', 'Zoe\u0308‘s account '],
  ])('%s is accepted', async (_what, words) => {
    const server = await typed(words)
    await waitFor(() => expect(server.asked('accounts.close')).toHaveLength(1))
  })

  test.each(["zo\u00eb's account", 'Zo\u00ebs account'])('%s is rejected', async words => {
    const server = await typed(words)
    expect(await screen.findByText(/^Type the account name exactly/)).toBeVisible()
    expect(server.asked('accounts.close')).toHaveLength(0)
  })
})

describe('a new address to confirm, on [route:/signup/verify]', () => {
  const pending = { pending_email: 'new@northquay.studio' }

  test('after the confirmation the session uses its new token and the profile shows the address', async () => {
    const { keyboard, server, user } = await at(
      '/signup/verify?token=of-the-link',
      { email_pending: true },
      pending,
    )
    server.answer('auth.verifyEmail', {
      data: { ...user, email_pending: false, token: 'token-2' },
      message: 'Your new address is confirmed',
    })
    await keyboard.click(await screen.findByRole('button', { name: 'Confirm my new address' }))
    expect(await screen.findByText('Your new address is confirmed')).toBeVisible()
    await waitFor(() => expect(address()).toBe('/account/profile'))
    expect(session.get()).toMatchObject({ token: 'token-2', email_pending: false })
  })

  test('an expired link shows an error, and another mail can be sent', async () => {
    const { keyboard, server } = await at('/signup/verify?token=old', { email_pending: true }, pending)
    server
      .answer('auth.verifyEmail', { status: 422, json: { message: 'Expired', code: 'link_expired' } })
      .answer('auth.requestVerification', { data: {}, message: 'We sent you a new link' })
    await keyboard.click(await screen.findByRole('button', { name: 'Confirm my new address' }))
    expect(await screen.findByText('Verification Link Has Expired')).toBeVisible()
    await keyboard.click(screen.getByRole('button', { name: 'Resend email' }))
    expect(await screen.findByText('We sent you a new link')).toBeVisible()
    expect(await screen.findByText(/We sent a link to new@northquay\.studio/)).toBeVisible()
  })

  test('after a typo the user can keep the old address', async () => {
    const { keyboard, server, user } = await at('/signup/verify', { email_pending: true }, pending)
    server.answer('profile.update', { data: profileOf(user) })
    const keep = await screen.findByRole('button', { name: 'Keep my old address' })
    await waitFor(() => expect(keep).toBeEnabled())
    // The user can leave this screen.
    expect(screen.getByRole('link', { name: 'Back to my profile' })).toHaveAttribute(
      'href',
      '/account/profile',
    )
    await keyboard.click(keep)
    await waitFor(() => expect(address()).toBe('/account/profile'))
    expect(server.asked('profile.update')[0]?.body).toEqual({ email: 'mara@northquay.studio' })
    expect(session.get()?.email_pending).toBe(false)
  })
})

describe('the undo link of an address change, on /signin/undo', () => {
  test('asks first, restores the address, and leads to a new password', async () => {
    const visitor = await visit({ path: '/signin/undo?token=of-the-old-mailbox' })
    takeLinkToken()
    visitor.server.answer('profile.undoEmail', { data: {} })
    visitor.open()
    expect(address()).toBe('/signin/undo')
    await visitor.keyboard.click(await screen.findByRole('button', { name: 'It wasn’t me: keep my address' }))
    expect(await screen.findByText('Your old address is back')).toBeVisible()
    expect(visitor.server.asked('profile.undoEmail')[0]?.body).toEqual({ token: 'of-the-old-mailbox' })
    expect(screen.getByRole('link', { name: 'Choose a new password' })).toHaveAttribute(
      'href',
      '/forgotpassword',
    )
  })

  test('an expired link shows an error; without an answer the link stays usable', async () => {
    const visitor = await visit({ path: '/signin/undo?token=late' })
    takeLinkToken()
    visitor.server.answer('profile.undoEmail', new TypeError('offline'))
    visitor.open()
    const button = await screen.findByRole('button', { name: 'It wasn’t me: keep my address' })
    await visitor.keyboard.click(button)
    expect(await screen.findByText(/The server did not answer/)).toBeVisible()
    visitor.server.answer('profile.undoEmail', {
      status: 422,
      json: { message: 'Expired', code: 'link_expired' },
    })
    await visitor.keyboard.click(screen.getByRole('button', { name: 'It wasn’t me: keep my address' }))
    expect(await screen.findByText('This link no longer works')).toBeVisible()
  })
})
