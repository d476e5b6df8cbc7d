import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { session } from '../../lib/session/store.ts'

const leave = vi.hoisted(() => vi.fn())
vi.mock('./social/open-url.ts', () => ({ openUrl: leave }))

async function signIn(visitor: Awaited<ReturnType<typeof visit>>) {
  const { keyboard, open } = visitor
  open()
  await keyboard.type(await screen.findByLabelText('Email'), 'mara@northquay.studio')
  await keyboard.type(screen.getByLabelText('Password'), 'stone!123')
  await keyboard.click(screen.getByRole('button', { name: 'Login' }))
}

describe('[route:/login]', () => {
  test('[state:sign-in.direct] signs in with email and password and continues', async () => {
    const visitor = await visit({ path: '/login' })
    visitor.server.answer('auth.signIn', { data: sessionUser({ verified: false, plan: null }) })
    await signIn(visitor)
    await waitFor(() => expect(address()).toBe('/signup/verify'))
    expect(visitor.server.asked('auth.signIn')[0]?.body).toEqual({
      email: 'mara@northquay.studio',
      password: 'stone!123',
    })
    expect(session.get()?.token).toBe('token-of-mara')
  })

  test('Tab moves from the address to the password, then to the forgotten-password link', async () => {
    const { open, keyboard } = await visit({ path: '/login' })
    open()
    await keyboard.click(await screen.findByLabelText('Email'))
    await keyboard.tab()
    expect(screen.getByLabelText('Password')).toHaveFocus()
    await keyboard.tab()
    await keyboard.tab()
    expect(screen.getByRole('link', { name: 'Forgot password?' })).toHaveFocus()
  })

  test.each(['/login', '/signup', '/forgotpassword', '/login/saml'])(
    '%s focuses its first field where there is no touch screen',
    async path => {
      vi.stubGlobal('matchMedia', (media: string) => ({
        media,
        matches: media.includes('pointer: fine'),
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }))
      const { open } = await visit({ path })
      open()
      await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'))
      expect(document.activeElement).toBe(document.querySelector('form input'))
    },
  )

  test('a visitor with a mailed link reads why to sign in, and can still sign up', async () => {
    const visitor = await visit({ path: '/login' })
    sessionStorage.setItem('plinth.link:/signup/verify', 'a-mailed-token')
    visitor.open()
    expect(await screen.findByText('Sign in to confirm your email address.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Create an account' })).toBeVisible()
  })

  test('applies the user’s language and theme', async () => {
    const visitor = await visit({ path: '/' })
    visitor.server.answer('auth.signIn', {
      data: sessionUser({ verified: false, locale: 'de', dark_mode: true }),
    })
    await signIn(visitor)
    expect(await screen.findByRole('heading', { name: 'E-Mail-Adresse bestätigen' })).toBeVisible()
    expect(document.documentElement).toHaveClass('dark')
  })

  test('a wrong password shows at its field, and the draft stays', async () => {
    const visitor = await visit({ path: '/' })
    visitor.server.answer('auth.signIn', {
      status: 422,
      json: {
        message: 'This email and password don’t match.',
        code: 'credentials_wrong',
        inputError: 'password',
      },
    })
    await signIn(visitor)
    await waitFor(() =>
      expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
        'This email and password don’t match.',
      ),
    )
    expect(screen.getByLabelText('Password')).toHaveFocus()
    expect(screen.getByLabelText('Email')).toHaveValue('mara@northquay.studio')
    expect(address()).toBe('/')
  })

  test('password managers can fill the form, and the password can be shown', async () => {
    const { open, keyboard } = await visit({ path: '/' })
    open()
    expect(await screen.findByLabelText('Email')).toHaveAttribute('autocomplete', 'username webauthn')
    expect(screen.getByLabelText('Password')).toHaveAttribute('autocomplete', 'current-password')
    await keyboard.click(screen.getByRole('button', { name: 'Show password' }))
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text')
  })

  test('[screen:login.forgot-link] links to the forgotten password', async () => {
    const { open } = await visit({ path: '/' })
    open()
    const link = await screen.findByRole('link', { name: 'Forgot password?' })
    expect(link).toHaveAttribute('href', '/forgotpassword')
  })

  test.each([
    ['link_expired', 'That link has expired or was already used. Sign in to get a new one.'],
    ['<b>You won</b>', 'Please try signing in again.'],
    ['constructor', 'Please try signing in again.'],
  ])('the error %s in the URL shows a toast with our own text', async (code, words) => {
    const { open } = await visit({ path: `/?error=${encodeURIComponent(code)}` })
    open()
    expect(await screen.findByText(words)).toBeVisible()
    expect(screen.queryByText(code)).toBeNull()
    expect(address()).toBe('/')
  })

  test('a cancelled provider sign-in shows the reason and a retry', async () => {
    const { open, keyboard } = await visit({ path: '/?error=social_denied&provider=github' })
    open()
    expect(await screen.findByText('You cancelled at the provider. Nothing has changed.')).toBeVisible()
    expect(address()).toBe('/')
    await keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(leave).toHaveBeenCalledWith('/auth/social/github')
  })

  test('the language can be changed before signing in', async () => {
    const { open, keyboard } = await visit({ path: '/' })
    open()
    await keyboard.click(await screen.findByRole('button', { name: 'Deutsch' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible()
    await waitFor(() => expect(document.title).toBe('Anmelden · Plinth'))
    expect(document.documentElement).toHaveAttribute('lang', 'de')
  })

  test('[error:no_response] an unreachable server shows an error', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const visitor = await visit({ path: '/' })
    visitor.server.answer('auth.signIn', new TypeError('Failed to fetch'))
    await signIn(visitor)
    expect(await screen.findByText(/The server did not answer/)).toBeVisible()
    expect(screen.getByLabelText('Password')).toHaveValue('stone!123')
  })
})
