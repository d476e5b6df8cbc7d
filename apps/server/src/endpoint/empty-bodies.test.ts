import { describe, expect, test } from 'vitest'
import { makeTestApp } from '../../test/harness.ts'

const { app, call, people } = await makeTestApp()
const json = { 'content-type': 'application/json' }

describe('a client that always sends the JSON type', () => {
  test.each([
    ['DELETE', '/api/user/sessions'],
    ['POST', '/api/user/export'],
    ['POST', '/api/auth/passkey/options'],
    ['DELETE', '/api/auth'],
  ] as const)('%s %s needs no body', async (method, url) => {
    const { token } = await people.owner()
    const answer = await call(method, url, { token, headers: json })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.connection).not.toBe('close')
  })

  test('a missing field is named where a body is needed', async () => {
    const { body } = await call('POST', '/api/auth', { headers: json })
    expect(body).toMatchObject({ code: 'invalid_input', inputError: 'email', message: 'Email is required' })
  })

  test('closing without a body asks for the password at its field', async () => {
    const { token } = await people.owner()
    const [bare, empty] = [
      await call('DELETE', '/api/account', { token }),
      await call('DELETE', '/api/account', { token, body: {} }),
    ]
    expect(bare.body).toEqual(empty.body)
    expect(bare.body.inputError).toBe('password')
  })
})

describe('a request without a body that names the type of one', () => {
  test.each([
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/api/user/sessions'],
    ['DELETE', '/api/user/sessions'],
    ['POST', '/api/user/export'],
  ] as const)('%s %s is answered as without the type', async (method, url) => {
    const { token } = await people.owner()
    const send = async (more: Record<string, string>) =>
      (await app.inject({ method, url, headers: { authorization: `Bearer ${token}`, ...more } })).statusCode
    const expected = await send({})
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense'])
      expect([type, await send({ 'content-type': type })]).toEqual([type, expected])
  })

  test('a GET with a body of another type is refused', async () => {
    const headers = { 'content-type': 'text/plain' }
    const { statusCode } = await app.inject({ method: 'GET', url: '/', headers, payload: 'a' })
    expect(statusCode).toBe(415)
  })
})

test('an id that is no UUID gets 404', async () => {
  const { token } = await people.owner()
  for (const [method, url] of [
    ['GET', '/api/key/abc'],
    ['GET', '/api/key/'],
    ['PATCH', '/api/key/abc'],
    ['DELETE', '/api/invite/abc'],
    ['DELETE', '/api/user/abc'],
    ['GET', '/api%2fsettings'],
    ['GET', '/api/key;x=1'],
  ] as const) {
    const { statusCode } = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...json },
      ...(method === 'PATCH' && { payload: '{"name":"a"}' }),
    })
    expect([method, url, statusCode]).toEqual([method, url, 404])
  }
})

test('what GET /api/user answers can be saved back, and an empty picture is left alone', async () => {
  const { token } = await people.owner()
  const { data } = await call('GET', '/api/user', { token })
  const { first_name, last_name, email, default_account } = data
  const saved = await call('PATCH', '/api/user', {
    token,
    body: { first_name, last_name, email, default_account, avatar: '' },
  })
  expect([saved.status, saved.data]).toEqual([200, data])
  expect((await call('PATCH', '/api/user', { token, body: { default_account: '' } })).status).toBe(200)
  const wrong = await call('PATCH', '/api/user', { token, body: { default_account: 'x' } })
  expect(wrong.body).toMatchObject({ inputError: 'default_account', message: 'Default account is not valid' })
})

test('an ordinary invite takes the empty password fields of its form', async () => {
  const { token } = await people.owner()
  const fields = { email: 'ines@northquay.example', bypass_signup: false, password: '', confirm_password: '' }
  expect((await call('POST', '/api/invite', { token, body: fields })).status).toBe(200)
  const person = {
    ...fields,
    email: 'jo@northquay.example',
    bypass_signup: true,
    first_name: 'Jo',
    last_name: 'Lee',
  }
  for (const [password, message] of [
    ['', 'Password is required'],
    ['short-1', 'Enter at least 8 characters'],
    ['longenough', 'Add at least one special character, such as ! or ?'],
  ])
    expect(
      (
        await call('POST', '/api/invite', {
          token,
          body: { ...person, password, confirm_password: password },
        })
      ).body,
    ).toMatchObject({
      inputError: 'password',
      message,
    })
})

test('an event takes no metadata, and nested metadata within limits', async () => {
  const { token } = await people.owner()
  const track = async (metadata: unknown) =>
    (await call('POST', '/api/event', { token, body: { name: 'opened', metadata } })).status
  for (const metadata of [null, {}, { page: { name: 'home', tags: ['a', 1, null] } }, { list: [{ a: 1 }] }])
    expect([metadata, await track(metadata)]).toEqual([metadata, 200])
  const wide = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n]))
  for (const metadata of [{ a: { b: { c: { d: 1 } } } }, wide, { list: Array(21).fill(1) }, 'text', []])
    expect([metadata, await track(metadata)]).toEqual([metadata, 422])
})

test('an empty help message asks for one', async () => {
  const { token } = await people.owner()
  for (const body of [{}, { message: ' ' }])
    expect((await call('POST', '/api/utility/mail', { token, body })).body).toMatchObject({
      inputError: 'message',
      message: 'Please enter a message',
    })
})
