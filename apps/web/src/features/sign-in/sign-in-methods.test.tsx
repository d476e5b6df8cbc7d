import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { fakeServer } from '../../../test/server.ts'
import { SignInForm } from './SignInForm.tsx'

beforeEach(async () => {
  freshBrowser()
  await withTexts()
})

test('[route:/login] shows each available method: magic link, forgotten password, SSO, social', async () => {
  const magic = vi.fn(async () => ({ data: {}, message: undefined }))
  fakeServer().answer('settings.read', { data: { inbox_url: null } })
  const keyboard = userEvent.setup()
  render(
    <SignInForm
      signIn={async () => ({ data: sessionUser(), message: undefined })}
      signInMethods={{
        magic,
        forgot: '/forgotpassword',
        sso: '/login/saml',
        social: [{ id: 'google', name: 'Google' }],
      }}
    />,
  )
  expect(screen.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute('href', '/forgotpassword')
  expect(screen.getByRole('link', { name: 'Sign in with SSO' })).toHaveAttribute('href', '/login/saml')
  expect(screen.getByRole('link', { name: 'Google' })).toHaveAttribute('href', '/auth/social/google')
  await keyboard.click(screen.getByRole('button', { name: 'Use a magic link instead' }))
  await screen.findByRole('button', { name: 'Send Magic Link' })
  expect(screen.queryByLabelText('Password')).toBeNull()
  await keyboard.type(screen.getByLabelText('Email'), 'mara@northquay.studio')
  await keyboard.click(screen.getByRole('button', { name: 'Send Magic Link' }))
  await waitFor(() =>
    expect(magic).toHaveBeenCalledWith(expect.objectContaining({ body: { email: 'mara@northquay.studio' } })),
  )
  await keyboard.click(screen.getByRole('button', { name: 'Use a password instead' }))
  expect(screen.getByRole('button', { name: 'Login' })).toBeVisible()
})
