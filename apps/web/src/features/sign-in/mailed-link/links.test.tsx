import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { sessionUser } from '../../../../test/people.ts'
import { linkToken, takeLinkToken } from '../../../lib/link-token.ts'
import { session } from '../../../lib/session/store.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const tomas = () => sessionUser({ token: 'token-of-tomas', name: 'Tomas Lind' })
const expired = { status: 422, json: { message: 'Expired', code: 'link_expired' } }
const linkInfo = (other_user = false) => ({ data: { email: 'mara@northquay.studio', other_user } })

async function opened(path: string, options: Partial<Parameters<typeof visit>[0]> = {}) {
  const visitor = await visit({ path, ...options })
  takeLinkToken()
  return visitor
}

describe('[route:/magic]', () => {
  test('[security:token] [T-04] names the address, and signs in by a click', async () => {
    const { server, keyboard, open } = await opened('/magic?token=of-the-link')
    server
      .answer('auth.lookAtLink', linkInfo())
      .answer('auth.verifyMagicLink', { data: sessionUser({ onboarded: false }) })
    open()
    expect(address()).toBe('/magic')
    expect(await screen.findByText('This link signs you in as mara@northquay.studio.')).toBeVisible()
    expect(server.asked('auth.lookAtLink')[0]?.body).toEqual({ token: 'of-the-link', purpose: 'magic' })
    expect(server.asked('auth.verifyMagicLink')).toHaveLength(0)
    await keyboard.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(address()).toBe('/welcome'))
    expect(session.get()?.token).toBe('token-of-mara')
    expect(server.asked('auth.signOut')).toHaveLength(0)
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('of-the-link')
  })

  test('[screen:magic.spinner] shows a spinner while signing in', async () => {
    const { server, keyboard, open } = await opened('/magic?token=x')
    const answer = Promise.withResolvers<{ data: unknown }>()
    server.answer('auth.lookAtLink', linkInfo()).answer('auth.verifyMagicLink', () => answer.promise)
    open()
    await keyboard.click(await screen.findByRole('button', { name: 'Sign in' }))
    expect(await screen.findByRole('status')).toHaveTextContent('Signing you in…')
    answer.resolve({ data: sessionUser({ onboarded: false }) })
    await waitFor(() => expect(address()).toBe('/welcome'))
  })

  test.each([
    ['without a secret', '/magic', false],
    ['expired when checked', '/magic?token=x', false],
    ['expired when clicked', '/magic?token=x', true],
  ])('[text:magic.invalid] %s: says so and leads back to sign in', async (_, path, clicked) => {
    const { server, keyboard, open } = await opened(path)
    server.answer('auth.lookAtLink', clicked ? linkInfo() : expired).answer('auth.verifyMagicLink', expired)
    open()
    if (clicked) await keyboard.click(await screen.findByRole('button', { name: 'Sign in' }))
    expect(await screen.findByText('Magic Link Is Invalid')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveFocus()
    expect(screen.getByRole('link', { name: 'Back to sign in' })).toHaveAttribute('href', '/login')
    expect(linkToken('/magic')).toBeNull()
  })

  test('without an answer the link can be tried again', async () => {
    const { server, keyboard, open } = await opened('/magic?token=x')
    server.answer('auth.lookAtLink', new TypeError('Failed to fetch'))
    open()
    const again = await screen.findByRole('button', { name: 'Try again' })
    server.answer('auth.lookAtLink', linkInfo())
    await keyboard.click(again)
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible()
    // The pressed button is gone, so the title has the focus.
    expect(screen.getByText('Sign in', { selector: 'h1 *' })).toHaveFocus()
    server.answer('auth.verifyMagicLink', new TypeError('Failed to fetch'))
    await keyboard.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(screen.getByText('Sign in', { selector: 'h1 *' })).toHaveFocus())
  })

  test('asks for the second factor first', async () => {
    const { server, keyboard, open } = await opened('/magic?token=x')
    server
      .answer('auth.lookAtLink', linkInfo())
      .answer('auth.verifyMagicLink', { data: { token: 'challenge', '2fa_required': true } })
    open()
    await keyboard.click(await screen.findByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(address()).toBe('/login/otp'))
    expect(session.get()).toBeNull()
  })

  test('[T-05] with another user signed in it asks, and staying drops the link', async () => {
    const { server, keyboard, open } = await opened('/magic?token=x', { user: tomas() })
    server.answer('auth.lookAtLink', linkInfo(true))
    open()
    expect(
      await screen.findByText(/^You’re signed in as Tomas Lind\. This link signs you in as mara@/),
    ).toBeVisible()
    await keyboard.click(screen.getByRole('button', { name: 'Stay signed in' }))
    await waitFor(() => expect(address()).toBe('/dashboard'))
    expect(session.get()?.token).toBe('token-of-tomas')
    expect(linkToken('/magic')).toBeNull()
    expect(server.asked('auth.verifyMagicLink')).toHaveLength(0)
  })

  test('[T-05] replacing another user ends their session and drops their drafts', async () => {
    const { server, keyboard, open } = await opened('/magic?token=x', { user: tomas() })
    sessionStorage.setItem('plinth.draft.x', 'typed by tomas')
    server
      .answer('auth.lookAtLink', linkInfo(true))
      .answer('auth.verifyMagicLink', { data: sessionUser({ onboarded: false }) })
      .answer('auth.signOut', { data: {} })
    open()
    await keyboard.click(await screen.findByRole('button', { name: 'Sign in with the link' }))
    await waitFor(() => expect(session.get()?.token).toBe('token-of-mara'))
    await waitFor(() => expect(server.asked('auth.signOut')).toHaveLength(1))
    expect(server.asked('auth.signOut')[0]?.headers.get('authorization')).toBe('Bearer token-of-tomas')
    expect(sessionStorage.getItem('plinth.draft.x')).toBeNull()
  })
})

describe('[route:/resetpassword]', () => {
  async function fill(keyboard: Awaited<ReturnType<typeof visit>>['keyboard']) {
    await keyboard.type(await screen.findByLabelText('New password'), 'tall-blue-harbour-42')
    await keyboard.type(screen.getByLabelText('Confirm password'), 'tall-blue-harbour-42')
    await keyboard.click(screen.getByRole('button', { name: 'Save and sign in' }))
  }

  test('[T-21] sets the password of the link’s own address and signs in', async () => {
    const { server, keyboard, open } = await opened('/resetpassword?token=of-the-link')
    server.answer('auth.lookAtLink', linkInfo()).answer('auth.resetPassword', {
      data: sessionUser({ onboarded: false }),
      message: 'Your password is changed.',
    })
    open()
    expect(await screen.findByLabelText('Email')).toHaveValue('mara@northquay.studio')
    expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username')
    await fill(keyboard)
    await waitFor(() => expect(address()).toBe('/welcome'))
    expect(server.asked('auth.resetPassword')[0]?.body).toEqual({
      jwt: 'of-the-link',
      email: 'mara@northquay.studio',
      password: 'tall-blue-harbour-42',
      confirm_password: 'tall-blue-harbour-42',
    })
    expect(await screen.findByText('Your password is changed.')).toBeVisible()
    expect(linkToken('/resetpassword')).toBeNull()
  })

  test('[rule:form.password.complex] checks the password rules, and shows the server’s error at its field', async () => {
    const { server, keyboard, open } = await opened('/resetpassword?token=x')
    server.answer('auth.lookAtLink', linkInfo()).answer('auth.resetPassword', {
      status: 422,
      json: { message: 'Choose another one.', code: 'password_common', inputError: 'password' },
    })
    open()
    const field = await screen.findByLabelText('New password')
    await keyboard.type(field, 'longenough')
    await waitFor(() => expect(field).toHaveAccessibleDescription(/special character/))
    await keyboard.clear(field)
    await fill(keyboard)
    await waitFor(() => expect(field).toHaveAccessibleDescription('Choose another one.'))
    expect(linkToken('/resetpassword')).toBe('x')
  })

  test.each([
    ['at once', false],
    ['when it is sent', true],
  ])('an expired link is reported %s, with a link to request a new one', async (_, later) => {
    const { server, keyboard, open } = await opened('/resetpassword?token=x')
    server.answer('auth.lookAtLink', later ? linkInfo() : expired).answer('auth.resetPassword', expired)
    open()
    if (later) await fill(keyboard)
    expect(await screen.findByText('Reset Link Is Invalid')).toBeVisible()
    expect(
      screen.getByText('It has expired, was already used, or was replaced by a newer link.'),
    ).toBeVisible()
    expect(screen.getByRole('alert')).toHaveFocus()
    expect(screen.getByRole('link', { name: 'Get a new link' })).toHaveAttribute('href', '/forgotpassword')
  })

  test('[T-05] says that it replaces another signed-in user', async () => {
    const { server, open } = await opened('/resetpassword?token=x', { user: tomas() })
    server.answer('auth.lookAtLink', linkInfo(true))
    open()
    expect(await screen.findByText('Tomas Lind is signed in here')).toBeVisible()
  })
})
