import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { session } from '../../../lib/session/store.ts'
import { openUrl } from './open-url.ts'

vi.mock('./open-url.ts', () => ({ openUrl: vi.fn() }))
beforeEach(() => vi.mocked(openUrl).mockReset())

/** Returns from a provider with the token, which the page removes from the URL. */
async function back(token: string | null, user?: ReturnType<typeof sessionUser>) {
  const visitor = await visit({ path: '/login/social?provider=google', user: user ?? null })
  if (token) sessionStorage.setItem('plinth.link:/login/social', token)
  return visitor
}

describe('[route:/login/social]', () => {
  test('[screen:social.spinner] [call:POST /api/auth (token)] shows a spinner while it signs in, then continues', async () => {
    const visitor = await back('handed-over')
    const answer = Promise.withResolvers<{ data: unknown }>()
    visitor.server.answer('auth.signIn', () => answer.promise)
    visitor.open()
    expect(await screen.findByText('Signing you in…')).toBeVisible()
    expect(visitor.server.asked('auth.signIn')[0]?.body).toEqual({ token: 'handed-over' })
    expect(sessionStorage.getItem('plinth.link:/login/social')).toBeNull()
    answer.resolve({ data: sessionUser({ plan: null }) })
    await waitFor(() => expect(address()).toBe('/signup/plan'))
    expect(visitor.server.asked('auth.signIn')).toHaveLength(1)
  })

  test('asks for the second factor first', async () => {
    const visitor = await back('handed-over')
    visitor.server.answer('auth.signIn', { data: { token: 'challenge', '2fa_required': true } })
    visitor.open()
    await waitFor(() => expect(address()).toBe('/login/otp'))
    expect(sessionStorage.getItem('plinth.link:/login/otp')).toBe('challenge')
    expect(session.get()).toBeNull()
  })

  test('[text:signin.failed] a refusal shows its reason and leads back to sign in', async () => {
    const visitor = await back('handed-over')
    const message = 'Your provider hasn’t verified your email address.'
    visitor.server.answer('auth.signIn', { status: 422, json: { message, code: 'social_email_unverified' } })
    visitor.open()
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Something Went Wrong. Please try signing in again.')
    expect(alert).toHaveTextContent(message)
    await visitor.keyboard.click(screen.getByRole('link', { name: 'Back to sign in' }))
    await waitFor(() => expect(address()).toBe('/login'))
  })

  test('[text:signin.failed] without a token nothing is called', async () => {
    const visitor = await back(null)
    visitor.open()
    expect(await screen.findByRole('alert')).toHaveTextContent('Something Went Wrong.')
    expect(visitor.server.asked('auth.signIn')).toHaveLength(0)
  })

  test('T-05 a signed-in user is asked before their session is replaced', async () => {
    const visitor = await back('handed-over', sessionUser())
    visitor.server.answer('auth.signIn', { data: sessionUser({ token: 'another', plan: null }) })
    visitor.open()
    expect(await screen.findByRole('heading', { name: 'You’re already signed in' })).toBeVisible()
    expect(visitor.server.asked('auth.signIn')).toHaveLength(0)
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Sign in again' }))
    await waitFor(() => expect(session.get()?.token).toBe('another'))
  })

  test('T-05 a signed-in user can keep their session', async () => {
    const visitor = await back('handed-over', sessionUser())
    visitor.open()
    await visitor.keyboard.click(await screen.findByRole('button', { name: 'Stay signed in' }))
    await waitFor(() => expect(address()).toBe('/dashboard'))
    expect(sessionStorage.getItem('plinth.link:/login/social')).toBeNull()
    expect(visitor.server.asked('auth.signIn')).toHaveLength(0)
  })
})

describe('connected accounts in the profile [route:/account/profile]', () => {
  const google = {
    id: '0197a000-0000-7000-8000-000000000001',
    provider: 'google',
    name: 'Google',
    email: 'mara@gmail.example',
    connected_at: '2026-11-03T10:00:00.000Z',
    last_used_at: '2026-11-03T10:00:00.000Z',
  }

  async function open(path = '/account/profile') {
    const visitor = await visit({ path, user: sessionUser() })
    const list = JSON.stringify([
      { id: 'google', name: 'Google' },
      { id: 'github', name: 'GitHub' },
    ])
    localStorage.setItem('plinth.social', list)
    visitor.server
      .answer('profile.read', { data: profileOf(sessionUser()) })
      .answer('social.identities', { data: [google] })
    visitor.open()
    const section = await screen.findByRole('region', { name: 'Sign-in services' })
    return { ...visitor, section: within(section) }
  }

  test('shows the connected providers, and those that can be connected', async () => {
    const { section } = await open()
    const [first, second] = section.getAllByRole('listitem')
    expect(first).toHaveTextContent('Google')
    expect(first).toHaveTextContent('mara@gmail.example · since Nov 3, 2026')
    expect(second).toHaveTextContent('GitHubNot connected')
  })

  test('connecting leaves for the provider', async () => {
    const { section, server, keyboard } = await open()
    server.answer('social.connect', { data: { url: 'https://github.example/authorize' } })
    await keyboard.click(section.getByRole('button', { name: 'Connect GitHub' }))
    await waitFor(() => expect(openUrl).toHaveBeenCalledWith('https://github.example/authorize'))
    expect(server.asked('social.connect')[0]?.body).toEqual({ provider: 'github' })
  })

  test('connecting asks for the password when the sign-in is old', async () => {
    const { section, server, keyboard } = await open()
    server.answer('social.connect', ({ body }) =>
      JSON.stringify(body).includes('password')
        ? { data: { url: 'https://github.example/authorize' } }
        : { status: 403, json: { message: 'Prove it', code: 'proof_required', inputError: 'password' } },
    )
    await keyboard.click(section.getByRole('button', { name: 'Connect GitHub' }))
    const dialog = within(await screen.findByRole('dialog'))
    await keyboard.type(dialog.getByLabelText(/password/i, { selector: 'input' }), 'limestone-1!{Enter}')
    await waitFor(() => expect(openUrl).toHaveBeenCalledOnce())
  })

  test('disconnecting asks first, then refetches the list', async () => {
    const { section, server, keyboard } = await open()
    server.answer('DELETE /api/user/identities/0197a000-0000-7000-8000-000000000001', { data: {} })
    await keyboard.click(section.getByRole('button', { name: 'Disconnect Google' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByRole('heading')).toHaveTextContent('Disconnect Google?')
    server.answer('social.identities', { data: [] })
    await keyboard.click(dialog.getByRole('button', { name: 'Disconnect' }))
    expect(await section.findByRole('button', { name: 'Connect Google' })).toBeVisible()
    expect(await screen.findByText('Google disconnected')).toBeVisible()
  })

  test.each([
    ['connected=github', 'Connected. You can now sign in with it.'],
    ['error=identity_taken', 'That account is already connected to someone else.'],
    ['error=%3Cb%3EYou+won', 'The provider didn’t respond correctly. Please try again in a moment.'],
  ])('a return with %s is reported once', async (query, words) => {
    await open(`/account/profile?${query}`)
    expect(await screen.findByText(words)).toBeVisible()
    expect(address()).toBe('/account/profile')
  })
})
