import { beforeEach, expect, test } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { type FakeServer, fakeServer } from '../../../test/server.ts'
import { startLanguage } from '../i18n/language.ts'
import { keepSession } from '../session/store.ts'
import { api } from './client.ts'
import { ApiError, NoAnswer } from './error.ts'

let server: FakeServer
beforeEach(async () => {
  freshBrowser()
  await withTexts()
  server = fakeServer()
})

test('[call:headers] sends the session’s token and the user’s language', async () => {
  keepSession(sessionUser())
  startLanguage('de')
  server.answer('settings.read', { data: { locales: ['en'] } })
  await api.settings.read()
  const [asked] = server.asked('settings.read')
  expect(asked?.headers.get('authorization')).toBe('Bearer token-of-mara')
  expect(asked?.headers.get('accept-language')).toBe('de')
})

test('sends no token without a session', async () => {
  server.answer('settings.read', { data: {} })
  await api.settings.read()
  expect(server.all[0]?.headers.has('authorization')).toBe(false)
})

test('[call:body] sends JSON to the contract’s path and returns data and message', async () => {
  server.answer('auth.signIn', { data: sessionUser(), message: 'Welcome back' })
  const answer = await api.auth.signIn({ body: { email: 'a@b.co', password: 'x' }, key: 'k1' })
  expect(answer).toEqual({ data: sessionUser(), message: 'Welcome back' })
  const [asked] = server.all
  expect(asked).toMatchObject({ method: 'POST', path: '/api/auth', body: { email: 'a@b.co', password: 'x' } })
  expect(asked?.headers.get('content-type')).toBe('application/json')
  expect(asked?.headers.get('idempotency-key')).toBe('k1')
})

test('[call:multipart] sends multipart when the body has a file; the browser sets the boundary', async () => {
  server.answer('profile.update', { data: {} })
  const avatar = new File(['x'], 'a.png', { type: 'image/png' })
  const body = { first_name: 'Mara', avatar } as { first_name: string } // as: the contract has no avatar field in this call
  await api.profile.update({ body })
  const sent = server.all[0]?.body
  expect(sent).toBeInstanceOf(FormData)
  expect(sent instanceof FormData && [sent.get('first_name'), sent.get('avatar')]).toEqual(['Mara', avatar])
  expect(server.all[0]?.headers.has('content-type')).toBe(false)
})

test('[error:shape] a refusal becomes an ApiError with all fields of the response', async () => {
  server.answer('team.invite', {
    status: 402,
    json: {
      message: 'Your plan allows 3 users',
      code: 'limit_reached',
      plan: 'startup',
      inputError: 'email',
    },
  })
  const failure = await api.team.invite({ body: { email: 'a@b.co' } }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiError)
  expect(failure).toMatchObject({
    status: 402,
    message: 'Your plan allows 3 users',
    code: 'limit_reached',
    plan: 'startup',
    inputError: 'email',
  })
})

test('[error:429] a plain-text refusal keeps its text', async () => {
  server.answer('auth.signIn', { status: 429, text: 'Wait a minute.', headers: { 'retry-after': '60' } })
  await expect(api.auth.signIn({ body: { email: 'a@b.co', password: 'x' } })).rejects.toMatchObject({
    status: 429,
    message: 'Wait a minute.',
    retryAfter: 60,
  })
})

test('does not show the error page of a proxy', async () => {
  server.answer('settings.read', { status: 502, text: '<h1>Bad Gateway</h1>' })
  await expect(api.settings.read()).rejects.toMatchObject({ status: 502, message: '' })
})

test('[error:no_response] a call without a response throws NoAnswer', async () => {
  server.answer('settings.read', new TypeError('Failed to fetch'))
  await expect(api.settings.read()).rejects.toBeInstanceOf(NoAnswer)
})
