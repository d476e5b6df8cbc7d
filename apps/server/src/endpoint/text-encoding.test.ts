import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp } from '../../test/harness.ts'

const { app, call, people } = await makeTestApp()
const names = { first_name: 'Mara', last_name: 'Okafor' }

describe('bytes and halves of characters [T-77] [T-78]', () => {
  test.each(['\xff\xfe', '\xe9', '\xc0\x80', '\xed\xa0\x80'])(
    'JSON with %j is refused whole',
    async bytes => {
      const { token } = await people.owner()
      const reply = await app.inject({
        method: 'PATCH',
        url: '/api/user',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        payload: Buffer.from(`{"first_name":"a${bytes}b"}`, 'latin1'),
      })
      expect([reply.statusCode, reply.json().code]).toEqual([400, 'malformed_body'])
      expect((await call('GET', '/api/user', { token })).data.first_name).toBe('Mara')
    },
  )

  test('a query and a form that are not UTF-8 are refused', async () => {
    const { token } = await people.owner()
    for (const search of ['%ff', '%C0%80', 'a%e9b'])
      expect((await call('GET', `/api/account/users?search=${search}`, { token })).body.code).toBe(
        'malformed_body',
      )
    expect((await call('GET', '/api/account/users?search=%c3%a9', { token })).status).toBe(200)
    const reply = await app.inject({
      method: 'POST',
      url: '/auth/saml/acs',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'SAMLResponse=x&RelayState=%ff',
    })
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'malformed_body'])
  })

  test('half a character is refused at its field, passwords included', async () => {
    for (const torn of ['lone\ud800-Horse-7!', 'lone\udfff-Horse-7!']) {
      const body = { ...names, email: freshEmail(), password: torn }
      const { status, body: refused } = await call('POST', '/api/account', { body })
      expect([status, refused.inputError]).toEqual([422, 'password'])
      const signIn = await call('POST', '/api/auth', { body: { email: body.email, password: torn } })
      expect([signIn.status, signIn.body.inputError]).toEqual([422, 'password'])
    }
  })
})

describe('one password in every spelling', () => {
  test('composed or not, with either space, it is the same; another letter is not', async () => {
    const email = freshEmail()
    const body = {
      ...names,
      email,
      password: 'cafe\u0301 am Meer-7!',
      confirm_password: 'caf\u00e9 am Meer-7!',
    }
    expect((await call('POST', '/api/account', { body })).status).toBe(200)
    const signIn = async (password: string) =>
      (await call('POST', '/api/auth', { body: { email, password } })).status
    expect(await signIn('caf\u00e9 am Meer-7!')).toBe(200)
    expect(await signIn('cafe\u0301\u00a0am\u3000Meer-7!')).toBe(200)
    expect(await signIn('caf\u00e8 am Meer-7!')).toBe(422)
    expect(await signIn('cafe am Meer-7!')).toBe(422)
  })
})

describe('names', () => {
  test.each(['\u3164', '\u2800', '\u115f', '\u1160\u3164', '\u0301', '\ufe0f', '\u00a0', '\uffa0'])(
    '%j shows nothing and is no name',
    async blank => {
      const owner = await people.owner()
      for (const [method, path, body, field] of [
        ['PATCH', '/api/user', { first_name: blank }, 'first_name'],
        ['PATCH', '/api/user', { last_name: blank }, 'last_name'],
        ['PATCH', '/api/user', { account_name: blank }, 'account_name'],
        ['POST', '/api/key', { name: blank, scopes: ['event.create'] }, 'name'],
        ['POST', '/api/invite', { email: freshEmail(), first_name: blank }, 'first_name'],
      ] as const) {
        const answer = await call(method, path, { token: owner.token, body })
        expect([answer.status, answer.body.inputError], path).toEqual([422, field])
      }
    },
  )

  test.each(['علی\u200cرضا', 'ශ්\u200dරී', '李小龍', 'Žofie', 'प्रिया', 'אדם', '👩\u200d💻 Ada', '2', "O'Neil"])(
    '%s is a name',
    async first_name => {
      const { token } = await people.owner()
      expect((await call('PATCH', '/api/user', { token, body: { first_name } })).data.first_name).toBe(
        first_name.normalize('NFC'),
      )
    },
  )
})

describe('pasted text', () => {
  test('blank characters around an address, a link’s secret and a session are forgiven', async () => {
    const user = await people.verified()
    const { id } = await people.mailTo(user.email)
    await call('POST', '/api/auth/magic', { body: { email: `\u00a0${user.email}\u200b` } })
    const secret = await people.linkToken(user.email, id)
    const link = await call('POST', '/api/auth/link', {
      body: { token: ` ${secret}\u200b\n`, purpose: 'magic' },
    })
    expect(link.data.email).toBe(user.email)
    const authorization = Buffer.from(`Bearer \u00a0${user.token}\u200b`).toString('latin1')
    expect((await call('GET', '/api/user', { headers: { authorization } })).status).toBe(200)
  })
})

test('a reply says which language its message is in', async () => {
  const languageOf = async (path: string) =>
    (await call('GET', path, { headers: { 'accept-language': 'de-AT, en;q=0.5' } })).headers[
      'content-language'
    ]
  expect(await languageOf('/api/user')).toBe('de')
  expect(await languageOf('/api/auth')).toBe('de')
})
