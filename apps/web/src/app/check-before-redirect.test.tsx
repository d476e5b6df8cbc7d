import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { address, visit } from '../../test/app.tsx'
import { sessionUser } from '../../test/people.ts'
import { session } from '../lib/session/store.ts'
import { checkBeforeRedirect } from './check-before-redirect.ts'

const users = '/account/users'
const unpaid = sessionUser({ plan: 'startup', subscription: 'past_due' })

test('a page with an outdated session opens after a payment in another tab', async () => {
  const { server, open } = await visit({ path: users, user: unpaid })
  server.answer('auth.check', { data: { ...unpaid, subscription: 'active', authenticated: true } })
  expect(await checkBeforeRedirect()).toBe(true)
  expect(session.get()?.subscription).toBe('active')
  open()
  await screen.findByRole('heading', { level: 1 })
  expect(address()).toBe(users)
})

test('redirects to billing if the server still says unpaid', async () => {
  const { server, open } = await visit({ path: users, user: unpaid })
  server.answer('auth.check', { data: { ...unpaid, authenticated: true } })
  expect(await checkBeforeRedirect()).toBe(true)
  open()
  await waitFor(() => expect(address()).toBe('/account/billing'))
})

test('without a response the stored session decides', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { server, open } = await visit({ path: users, user: unpaid })
  server.answer('auth.check', new TypeError('Failed to fetch'))
  expect(await checkBeforeRedirect()).toBe(true)
  open()
  await waitFor(() => expect(address()).toBe('/account/billing'))
})

test.each([
  ['a screen that the session may open', users, sessionUser()],
  ['a visitor without a session', users, null],
  ['a public screen', '/signup', unpaid],
])('%s needs no request', async (_, path, user) => {
  const { server } = await visit({ path, user })
  expect(await checkBeforeRedirect()).toBe(false)
  expect(server.asked('auth.check')).toEqual([])
})
