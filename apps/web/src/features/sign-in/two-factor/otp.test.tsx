import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { sessionUser } from '../../../../test/people.ts'
import { session } from '../../../lib/session/store.ts'

const challenge = 'challenge-of-mara'
const wrong = {
  status: 422,
  json: { message: 'That code isn’t right.', code: 'code_wrong', inputError: 'code' },
}

async function secondStep(language: 'en' | 'de' = 'en') {
  const visitor = await visit({ path: '/login/otp', language })
  sessionStorage.setItem('plinth.link:/login/otp', challenge)
  visitor.open()
  await screen.findByRole('heading', { level: 1 })
  return visitor
}
const code = () => screen.getByLabelText('One-time code')

test('[route:/login/otp] the last digit submits the code, and the session begins', async () => {
  const { server, keyboard } = await secondStep()
  server.answer('twoFactor.signIn', { data: sessionUser({ verified: false }) })
  expect(code()).toHaveFocus()
  await keyboard.keyboard('407123')
  await waitFor(() => expect(address()).toBe('/signup/verify'))
  expect(server.asked('twoFactor.signIn').map(({ body }) => body)).toEqual([
    { code: '407123', jwt: challenge },
  ])
  expect(session.get()?.token).toBe('token-of-mara')
  expect(sessionStorage.getItem('plinth.link:/login/otp')).toBeNull()
  expect(screen.queryByText(/Signing in as/)).toBeNull()
})

test('[state:sign-in.2fa] a sign-in that needs a second factor leads here', async () => {
  const { server, keyboard, open } = await visit({ path: '/login' })
  server.answer('auth.signIn', { data: { token: challenge, '2fa_required': true } })
  open()
  await keyboard.type(await screen.findByLabelText('Email'), 'mara@northquay.studio')
  await keyboard.type(screen.getByLabelText('Password'), 'stone!123')
  await keyboard.click(screen.getByRole('button', { name: 'Login' }))
  expect(await screen.findByRole('heading', { name: 'Enter your code' })).toBeVisible()
  expect(screen.getByText('Signing in as mara@northquay.studio.')).toBeVisible()
  expect(address()).toBe('/login/otp')
  expect(localStorage.getItem('plinth.session')).toBeNull()
})

test('a wrong code shows an error and empties the slots', async () => {
  const { server, keyboard } = await secondStep()
  server.answer('twoFactor.signIn', wrong)
  await keyboard.keyboard('111111')
  await waitFor(() => expect(code()).toHaveAccessibleDescription('That code isn’t right.'))
  expect(code()).toHaveValue('')
  expect(code()).toHaveFocus()
  await keyboard.keyboard('40')
  await waitFor(() => expect(code()).toHaveAccessibleDescription('The code changes every 30 seconds.'))
  expect(server.asked('twoFactor.signIn')).toHaveLength(1)
})

test('[rule:required.code] an incomplete code is not sent, and the error appears only on submit', async () => {
  const { server, keyboard } = await secondStep()
  await keyboard.click(screen.getByRole('button', { name: 'Verify' }))
  expect(await screen.findByText('One-time code is required')).toBeVisible()
  await keyboard.type(code(), '407')
  await waitFor(() => expect(screen.queryByText('One-time code is required')).toBeNull())
  expect(code()).not.toHaveAttribute('aria-invalid')
  await keyboard.keyboard('{Enter}')
  expect(await screen.findByText('Enter at least 6 characters')).toBeVisible()
  expect(server.asked('twoFactor.signIn')).toHaveLength(0)
})

test('[screen:otp.backup-mode] a button switches to a text field for the backup code, and back', async () => {
  const { server, keyboard } = await secondStep()
  await keyboard.keyboard('407')
  await keyboard.click(screen.getByRole('button', { name: 'Use a backup code' }))
  expect(screen.queryByLabelText('One-time code')).toBeNull()
  expect(screen.getByLabelText('Backup code')).toHaveFocus()
  await keyboard.click(screen.getByRole('button', { name: 'Use a code from the app' }))
  expect(code()).toHaveValue('')
  await keyboard.click(screen.getByRole('button', { name: 'Use a backup code' }))
  server.answer('twoFactor.signIn', { data: sessionUser({ verified: false }) })
  await keyboard.keyboard('F4KD-91QT-XM27-BW8E-0000-0000{Enter}')
  await waitFor(() => expect(address()).toBe('/signup/verify'))
  expect(server.asked('twoFactor.signIn')[0]?.body).toEqual({
    code: 'F4KD-91QT-XM27-BW8E-0000-0000',
    jwt: challenge,
  })
})

test.each([
  ['shows that it is used, with a link to a new one', {}, true],
  ['shows no link to a screen that needs a plan', { plan: null, subscription: null }, false],
])('[screen:otp.backup-mode] the backup code %s', async (_, change, hasLink) => {
  const { server, keyboard } = await secondStep()
  await keyboard.click(screen.getByRole('button', { name: 'Use a backup code' }))
  server.answer('twoFactor.signIn', { data: sessionUser(change), message: 'It is used up' })
  await keyboard.keyboard('F4KD-91QT-XM27-BW8E-0000-0000{Enter}')
  expect(await screen.findByText('You’ve used your backup code')).toBeVisible()
  expect(screen.getByText(/^Without one, you can’t sign in/)).toBeVisible()
  const link = screen.queryByRole('link', { name: 'Get a new code' })
  if (!hasLink) return expect(link).toBeNull()
  // A banner, not a toast: it stays until the user closes it or has a new code.
  expect(link?.closest('.alert--warning')).toBeVisible()
  if (link) await keyboard.click(link)
  await waitFor(() => expect(address()).toBe('/account/2fa'))
  expect(link).not.toBeInTheDocument()
})

test('a new tab knows that the backup code is used, and closing the banner closes it in all tabs', async () => {
  const { server, keyboard } = await secondStep()
  await keyboard.click(screen.getByRole('button', { name: 'Use a backup code' }))
  server.answer('twoFactor.signIn', { data: sessionUser(), message: 'It is used up' })
  await keyboard.keyboard('F4KD-91QT-XM27-BW8E-0000-0000{Enter}')
  const banner = await screen.findByText('You’ve used your backup code')
  expect(localStorage.getItem('plinth.backup_spent')).toBe('1')
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'plinth.backup_spent', newValue: null }))
  })
  expect(banner).not.toBeInTheDocument()
})

test('an expired challenge leads back to the first step with the reason', async () => {
  const { server, keyboard } = await secondStep()
  const message = 'This sign-in took too long. Please start again.'
  server.answer('twoFactor.signIn', { status: 422, json: { message, code: 'challenge_expired' } })
  await keyboard.keyboard('407123')
  expect(await screen.findByText(message)).toBeVisible()
  expect(address()).toBe('/login')
  expect(sessionStorage.getItem('plinth.link:/login/otp')).toBeNull()
})

test('too many wrong codes show the reason, and the draft stays', async () => {
  const { server, keyboard } = await secondStep()
  server.answer('twoFactor.signIn', { status: 429, text: 'Too many wrong codes.' })
  await keyboard.keyboard('407123')
  expect(await screen.findByText('Too many wrong codes.')).toBeVisible()
  expect(address()).toBe('/login/otp')
})

test('without a pending sign-in it says so and leads back', async () => {
  const { open } = await visit({ path: '/login/otp' })
  open()
  expect(await screen.findByText('This sign-in can’t be finished here')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to sign in' })).toHaveAttribute('href', '/login')
})

test('signing in as another user drops the challenge', async () => {
  const { keyboard } = await secondStep()
  await keyboard.click(screen.getByRole('link', { name: 'Sign in as someone else' }))
  expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible()
  expect(sessionStorage.getItem('plinth.link:/login/otp')).toBeNull()
})

test('[feature:translated] the screen is translated to German', async () => {
  await secondStep('de')
  expect(screen.getByRole('heading', { name: 'Code eingeben' })).toBeVisible()
  expect(screen.getByLabelText('Einmalcode')).toHaveFocus()
})
