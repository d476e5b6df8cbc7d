import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../test/people.ts'
import { takeLinkToken } from '../../lib/link-token.ts'
import { checkSession } from '../../lib/session/check.ts'
import { session } from '../../lib/session/store.ts'
import { dismiss } from '../../ui/overlay/toast.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const soon = new Date(Date.now() + 20 * 60_000).toISOString()
const master = sessionUser({ permission: 'master', name: 'Greta Hughes', token: 'token-of-greta' })

async function arrive(path: string) {
  const visitor = await visit({ path, user: master })
  takeLinkToken()
  return visitor
}

describe('[route:/signin/impersonate]', () => {
  test('[screen:impersonate.spinner] opens the user’s account and removes the secret from the URL', async () => {
    const { server, open } = await arrive('/signin/impersonate?token=a-secret')
    expect(address()).toBe('/signin/impersonate')
    const acting = sessionUser({ token: 'token-of-support', support_until: soon })
    server.answer('impersonation.begin', { data: acting })
    server.answer('dashboard.read', new Error('not looked at here'))
    open()
    expect(screen.getByRole('status')).toHaveTextContent('Opening the account')
    await waitFor(() => expect(address()).toBe('/dashboard'))
    expect(server.asked('impersonation.begin')[0]?.body).toEqual({ token: 'a-secret' })
    expect(session.get()?.token).toBe('token-of-support')
    const banner = await screen.findByRole('complementary', { name: 'Support session' })
    expect(banner).toHaveTextContent(/^You’re acting as Mara Aldous · Ends at/)
    expect(server.asked('impersonation.begin')).toHaveLength(1)
  })

  test('[error:impersonate] a refused link and a missing one show the 404 page', async () => {
    for (const path of ['/signin/impersonate?token=old', '/signin/impersonate']) {
      const { server, open } = await arrive(path)
      server.answer('impersonation.begin', { status: 422, json: { message: 'No', code: 'link_expired' } })
      const { unmount } = open()
      await waitFor(() => expect(address()).toBe('/404'))
      expect(session.get()?.token).toBe('token-of-greta')
      unmount()
    }
  })
})

test('the banner’s button ends the session, and the banner disappears', async () => {
  const user = sessionUser({ support_until: soon })
  const { keyboard, server, open } = await visit({ path: '/account/profile', user })
  server.answer('profile.read', { data: profileOf(user) })
  server.answer('auth.signOut', { data: {} })
  open()
  await keyboard.click(await screen.findByRole('button', { name: 'End' }))
  await waitFor(() => expect(address()).toBe('/login'))
  expect(await screen.findByText('The support session has ended')).toBeVisible()
  expect(server.asked('auth.signOut')).toHaveLength(1)
  expect(screen.queryByRole('complementary', { name: 'Support session' })).toBeNull()
})

test('[call:PATCH /api/user {support_enabled}] the consent changes at once, and back when saving fails', async () => {
  const user = sessionUser()
  const { keyboard, server, open } = await visit({ path: '/account/profile', user })
  server.answer('profile.read', { data: profileOf(user) })
  server.answer('profile.update', { data: profileOf(user, { support_enabled: true }) })
  open()
  const consent = await screen.findByRole('switch', { name: 'Let support sign in as you' })
  expect(consent).not.toBeChecked()
  await keyboard.click(consent)
  expect(consent).toBeChecked()
  expect(server.asked('profile.update')[0]?.body).toEqual({ support_enabled: true })
  server.answer('profile.update', new Error('offline'))
  await keyboard.click(consent)
  await waitFor(() => expect(consent).toBeChecked())
})

test('T-53 the consent asks for a step-up when the server requires it', async () => {
  const user = sessionUser()
  const { keyboard, server, open } = await visit({ path: '/account/profile', user })
  server.answer('profile.read', { data: profileOf(user) })
  server.answer('profile.update', ({ body }) =>
    JSON.stringify(body).includes('the-right-one')
      ? { data: profileOf(user, { support_enabled: true }) }
      : { status: 403, json: { message: 'Prove it', code: 'proof_required', inputError: 'password' } },
  )
  open()
  const consent = await screen.findByRole('switch', { name: 'Let support sign in as you' })
  await keyboard.click(consent)
  await keyboard.type(await screen.findByLabelText('Your password'), 'the-right-one')
  await keyboard.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(server.asked('profile.update')).toHaveLength(2))
  expect(server.asked('profile.update')[1]?.body).toEqual({
    support_enabled: true,
    password: 'the-right-one',
  })
  await waitFor(() => expect(consent).toBeChecked())
})

test('T-41 support does not load settings that protect the account', async () => {
  const user = sessionUser({ support_until: soon })
  const { server, open } = await visit({ path: '/account/profile', user })
  server.answer('profile.read', { data: profileOf(user) })
  open()
  await screen.findByRole('switch', { name: 'Let support sign in as you' })
  for (const call of ['passkeys.list', 'social.identities', 'sessions.list'] as const)
    expect(server.asked(call)).toHaveLength(0)
})

test('[error:401] a support session that has ended says so, also after a reload, and can’t be resumed', async () => {
  for (const source of ['check', 'call'] as const) {
    const user = sessionUser({ support_until: soon })
    const { server, open } = await visit({ path: '/account/profile', user })
    expect(localStorage.getItem('plinth.session')).not.toContain(soon)
    server.answer('auth.check', source === 'check' ? { data: { authenticated: false } } : new Error('silent'))
    server.answer('profile.read', { status: 401, json: { message: 'No', code: 'session_required' } })
    const { unmount } = open()
    if (source === 'check') await checkSession()
    expect(await screen.findByText('The support session has ended')).toBeVisible()
    expect(screen.queryByText('Your session has ended')).toBeNull()
    await waitFor(() => expect(address()).toBe('/login'))
    expect(localStorage.getItem('plinth.support')).toBeNull()
    if (source === 'call') expect(sessionStorage.getItem('plinth.back')).toBeNull()
    unmount()
    dismiss()
  }
})
