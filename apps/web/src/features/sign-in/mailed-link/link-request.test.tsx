import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { sessionUser } from '../../../../test/people.ts'

afterEach(() => {
  vi.useRealTimers()
})

const send = 'Send Magic Link'

async function inLinkMode() {
  const visitor = await visit({ path: '/login' })
  visitor.server
    .answer('auth.requestMagicLink', { data: {} })
    .answer('settings.read', { data: { inbox_url: 'http://localhost:5001/', social: [] } })
  visitor.open()
  await visitor.keyboard.type(await screen.findByLabelText('Email'), 'mara@northquay.studio')
  await visitor.keyboard.click(screen.getByRole('button', { name: 'Use a magic link instead' }))
  await screen.findByRole('button', { name: send })
  return visitor
}

describe('[screen:login.magic-mode] [text:magic] requesting a magic link', () => {
  test('keeps the typed address, sends it, and does not say whether it is known', async () => {
    const { keyboard, server } = await inLinkMode()
    expect(screen.getByLabelText('Email')).toHaveValue('mara@northquay.studio')
    await keyboard.click(screen.getByRole('button', { name: send }))
    expect(await screen.findByText(/^If there’s an account for mara@northquay.studio/)).toBeVisible()
    expect(screen.getByText(/It works once, for 10 minutes/)).toBeVisible()
    expect(screen.getByLabelText('Email')).toHaveValue('mara@northquay.studio')
    expect(await screen.findByRole('link', { name: /Open the test inbox/ })).toHaveAttribute(
      'href',
      'http://localhost:5001/',
    )
    expect(server.asked('auth.requestMagicLink')[0]?.body).toEqual({ email: 'mara@northquay.studio' })
    // The button is disabled, so the alert has the focus.
    expect(screen.getByText('Check your inbox').closest('[tabindex]')).toHaveFocus()
  })

  test('the same address waits a minute for another mail; a corrected one does not', async () => {
    const { keyboard, server } = await inLinkMode()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    await act(async () => fireEvent.click(screen.getByRole('button', { name: send })))
    await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Send again in 60 s' })).toBeDisabled())
    await act(() => vi.advanceTimersByTimeAsync(18_000))
    expect(screen.getByRole('button', { name: 'Send again in 42 s' })).toBeDisabled()
    const field = screen.getByLabelText('Email')
    await act(async () => fireEvent.change(field, { target: { value: 'mara@northquay.example' } }))
    expect(screen.getByRole('button', { name: send })).toBeEnabled()
    await act(async () => fireEvent.change(field, { target: { value: 'mara@northquay.studio' } }))
    await act(() => vi.advanceTimersByTimeAsync(42_000))
    vi.useRealTimers()
    await keyboard.click(screen.getByRole('button', { name: send }))
    await waitFor(() => expect(server.asked('auth.requestMagicLink')).toHaveLength(2))
  })

  test('the address stays when the user returns to the password', async () => {
    const { keyboard } = await inLinkMode()
    await keyboard.click(screen.getByRole('button', { name: 'Use a password instead' }))
    expect(screen.getByLabelText('Email')).toHaveValue('mara@northquay.studio')
    expect(screen.getByRole('button', { name: 'Login' })).toBeVisible()
  })

  test('an error shows at its field or as a toast, and no mail is claimed', async () => {
    const { keyboard, server } = await inLinkMode()
    server.answer('auth.requestMagicLink', {
      status: 422,
      json: { message: 'Enter a valid email address', code: 'invalid_input', inputError: 'email' },
    })
    await keyboard.click(screen.getByRole('button', { name: send }))
    await waitFor(() =>
      expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Enter a valid email address'),
    )
    expect(screen.queryByText('Check your inbox')).toBeNull()
  })
})

test('[route:/forgotpassword] requests a reset link and answers the same for every address', async () => {
  const { server, keyboard, open } = await visit({ path: '/forgotpassword' })
  server
    .answer('auth.requestReset', { data: {} })
    .answer('settings.read', { data: { inbox_url: null, social: [] } })
  open()
  await screen.findByRole('heading', { level: 1, name: 'Forgot your password?' })
  await keyboard.type(screen.getByLabelText('Email'), 'mara@northquay.studio')
  await keyboard.click(screen.getByRole('button', { name: 'Send reset link' }))
  expect(await screen.findByText(/It works once, for 30 minutes/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to sign in' })).toHaveAttribute('href', '/login')
  expect(server.asked('auth.requestReset')[0]?.body).toEqual({ email: 'mara@northquay.studio' })
})

test.each(['/forgotpassword', '/login/saml'])('%s names the signed-in user and links back', async path => {
  const { open } = await visit({ path, user: sessionUser() })
  open()
  expect(await screen.findByText('You’re signed in as Mara Aldous')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Stay signed in' })).toHaveAttribute('href', '/dashboard')
})

test('[state:form.nothing-lost] the typed address is shared between the sign-in screens', async () => {
  const { keyboard, open } = await visit({ path: '/login' })
  open()
  await keyboard.type(await screen.findByLabelText('Email'), 'mara@northquay.studio')
  await keyboard.click(screen.getByRole('link', { name: 'Forgot password?' }))
  await screen.findByRole('heading', { level: 1, name: 'Forgot your password?' })
  expect(screen.getByLabelText('Email')).toHaveValue('mara@northquay.studio')
  await keyboard.type(screen.getByLabelText('Email'), '.example')
  await keyboard.click(screen.getByRole('link', { name: 'Back to sign in' }))
  await screen.findByRole('heading', { level: 1, name: 'Sign in' })
  expect(screen.getByLabelText('Email')).toHaveValue('mara@northquay.studio.example')
  await keyboard.click(screen.getByRole('link', { name: 'Sign in with SSO' }))
  expect(await screen.findByLabelText('Work email')).toHaveValue('mara@northquay.studio.example')
})
