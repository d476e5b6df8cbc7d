import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { takeLinkToken } from '../../../lib/link-token.ts'
import { navigate } from '../../../lib/navigate.ts'
import { checkSession } from '../../../lib/session/check.ts'
import { session } from '../../../lib/session/store.ts'
import { snapshot } from '../../../ui/overlay/toast.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.useRealTimers()
})

const unverified = () => sessionUser({ verified: false, plan: null, onboarded: false, subscription: null })
const settings = { inbox_url: null, payments: { publishable_key: '', sandbox_url: 'http://localhost:3001' } }

async function waiting(path = '/signup/verify') {
  const user = unverified()
  const visitor = await visit({ path, user })
  visitor.server
    .answer('profile.read', { data: profileOf(user) })
    .answer('settings.read', { data: settings })
    .answer('auth.check', { data: { ...user, authenticated: true } })
  takeLinkToken()
  visitor.open()
  await screen.findByRole('heading', { level: 1, name: 'Verify your email' })
  return { ...visitor, user }
}

describe('[route:/signup/verify]', () => {
  test('names the address, and offers another mail and the profile', async () => {
    const { server, keyboard } = await waiting()
    expect(await screen.findByText(/We sent a link to mara@northquay.studio/)).toHaveTextContent(
      'Open it in this browser, or sign in on the device where you open it.',
    )
    expect(screen.getByRole('link', { name: 'Change my email address' })).toHaveAttribute(
      'href',
      '/account/profile',
    )
    server.answer('auth.requestVerification', { data: {}, message: 'We sent you a new link' })
    await keyboard.click(screen.getByRole('button', { name: 'Resend email' }))
    expect(await screen.findByText('We sent you a new link')).toBeVisible()
    expect(server.asked('auth.requestVerification')).toHaveLength(1)
  })

  test('[error:429] after too many mails the button says when the next one is possible', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const { server } = await waiting()
    const press = (name: string) => act(async () => screen.getByRole('button', { name }).click())
    // The time that the page was open does not count.
    await act(() => vi.advanceTimersByTimeAsync(600_000))
    const format = vi.spyOn(Intl.RelativeTimeFormat.prototype, 'format')
    server.answer('auth.requestVerification', {
      status: 429,
      text: 'Too many attempts. Please try again in 2 minutes.',
      headers: { 'retry-after': '110' },
    })
    await press('Resend email')
    expect(await screen.findByText('Too many attempts. Please try again in 2 minutes.')).toBeVisible()
    await press('Resend email in 2 minutes')
    expect(new Set(format.mock.results.map(({ value }) => value))).toEqual(new Set(['in 2 minutes']))
    expect(server.asked('auth.requestVerification')).toHaveLength(1)
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(screen.getByRole('button', { name: 'Resend email in 50 seconds' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    server.answer('auth.requestVerification', { data: {}, message: 'We sent you a new link' })
    await act(() => vi.advanceTimersByTimeAsync(51_000))
    await press('Resend email')
    expect(await screen.findByText('We sent you a new link')).toBeVisible()
  })

  test('a user who joins an account with a plan does not choose one', async () => {
    const user = sessionUser({ verified: false, permission: 'user' })
    const { server, open } = await visit({ path: '/signup/verify', user })
    server.answer('profile.read', { data: profileOf(user) }).answer('settings.read', { data: settings })
    open()
    expect(await screen.findByText('One more step before you join Northquay Studio.')).toBeVisible()
    expect(screen.queryByText(/choose a plan/)).toBeNull()
  })

  test('[security:token] the secret is removed from the URL at once, and nothing is called before a click', async () => {
    const { server } = await waiting('/signup/verify?token=secret-of-the-link')
    expect(address()).toBe('/signup/verify')
    expect(screen.getByRole('button', { name: 'Confirm my email address' })).toBeVisible()
    expect(server.asked('auth.verifyEmail')).toHaveLength(0)
  })

  test('a verified user signs in and chooses a plan', async () => {
    const { server, keyboard, user } = await waiting('/signup/verify?token=secret-of-the-link')
    server.answer('auth.verifyEmail', { data: { ...user, verified: true, token: 'token-2' } })
    await keyboard.click(screen.getByRole('button', { name: 'Confirm my email address' }))
    await waitFor(() => expect(address()).toBe('/signup/plan'))
    expect(server.asked('auth.verifyEmail')[0]?.body).toEqual({ token: 'secret-of-the-link' })
    expect(session.get()).toMatchObject({ verified: true, token: 'token-2' })
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('secret-of-the-link')
  })

  test('an expired link says so and another mail can be sent', async () => {
    const { server, keyboard } = await waiting('/signup/verify?token=old')
    server
      .answer('auth.verifyEmail', { status: 422, json: { message: 'Expired', code: 'link_expired' } })
      .answer('auth.requestVerification', { data: {} })
    await keyboard.click(screen.getByRole('button', { name: 'Confirm my email address' }))
    expect(await screen.findByText('Verification Link Has Expired')).toBeVisible()
    // The link also expires after 24 hours.
    expect(screen.getByRole('alert')).toHaveTextContent('24 hours')
    expect(screen.getByRole('alert')).toHaveFocus()
    await keyboard.click(screen.getByRole('button', { name: 'Resend email' }))
    expect(await screen.findByText('Check your inbox')).toBeVisible()
  })

  test('a link that was used already is reported once, on the dashboard', async () => {
    const user = sessionUser({ email_pending: undefined })
    const { server, open } = await visit({ path: '/signup/verify?token=used', user })
    server
      .answer('profile.read', { data: profileOf(user) })
      .answer('settings.read', { data: settings })
      .answer('auth.check', { data: { ...user, email_pending: false, authenticated: true } })
    takeLinkToken()
    open()
    await act(() => checkSession())
    await waitFor(() => expect(address()).toBe('/dashboard'))
    expect(await screen.findByText('Nothing to confirm')).toBeVisible()
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('used')
    act(() => navigate('/signup/verify'))
    await waitFor(() => expect(address()).toBe('/dashboard'))
    expect(snapshot().filter(({ title }) => title === 'Nothing to confirm')).toHaveLength(1)
  })

  test('a user who needs their own password gets its form, and the focus is on its text', async () => {
    const { server, keyboard } = await waiting('/signup/verify?token=x')
    server.answer('auth.verifyEmail', { status: 422, json: { message: 'Choose', code: 'password_given' } })
    await keyboard.click(screen.getByRole('button', { name: 'Confirm my email address' }))
    expect(await screen.findByText(/^Your first password was chosen for you/)).toHaveFocus()
  })

  test('[error:401] an ended session signs the user out', async () => {
    const { server, keyboard } = await waiting('/signup/verify?token=x')
    server.answer('auth.verifyEmail', {
      status: 401,
      json: { message: 'Sign in again', code: 'session_required' },
    })
    await keyboard.click(screen.getByRole('button', { name: 'Confirm my email address' }))
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(session.get()).toBeNull()
  })

  test('[state:verify.401] a sign-up with a known address asks to sign in with the old password', async () => {
    const { server, keyboard } = await waiting('/signup/verify?token=x')
    server.answer('auth.verifyEmail', {
      status: 401,
      json: { message: 'Sign in with the password you already had.', code: 'sign_in_again' },
    })
    await keyboard.click(screen.getByRole('button', { name: 'Confirm my email address' }))
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(await screen.findByText('Sign in with the password you already had.')).toBeVisible()
    expect(sessionStorage.getItem('plinth.verify')).toBeNull()
  })

  test('without an answer the link can be tried again', async () => {
    const { server, keyboard } = await waiting('/signup/verify?token=x')
    server.answer('auth.verifyEmail', new TypeError('Failed to fetch'))
    await keyboard.click(screen.getByRole('button', { name: 'Confirm my email address' }))
    expect(await screen.findByText(/The server did not answer/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Confirm my email address' })).toBeEnabled()
  })

  test('a visitor without a session signs in first and returns to the link', async () => {
    const visitor = await visit({ path: '/signup/verify?token=kept' })
    const user = unverified()
    visitor.server.answer('auth.signIn', { data: user })
    takeLinkToken()
    visitor.open()
    await visitor.keyboard.type(await screen.findByLabelText('Email'), 'mara@northquay.studio')
    await visitor.keyboard.type(screen.getByLabelText('Password'), 'stone!123')
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Login' }))
    expect(await screen.findByRole('button', { name: 'Confirm my email address' })).toBeVisible()
    expect(address()).toBe('/signup/verify')
  })

  test('[state:tabs] after a verification on another device, focusing the window leaves the screen', async () => {
    const { server, user } = await waiting()
    server.answer('auth.check', { data: { ...user, verified: true, authenticated: true } })
    act(() => void window.dispatchEvent(new Event('focus')))
    await waitFor(() => expect(address()).toBe('/signup/plan'))
  })

  test('[state:tabs] checks every five seconds while visible', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { server, user } = await waiting()
    server.answer('auth.check', { data: { ...user, verified: true, authenticated: true } })
    await act(() => vi.advanceTimersByTimeAsync(4999))
    expect(server.asked('auth.check')).toHaveLength(0)
    await act(() => vi.advanceTimersByTimeAsync(1))
    await waitFor(() => expect(address()).toBe('/signup/plan'))
  })
})
