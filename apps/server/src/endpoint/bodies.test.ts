import { Readable } from 'node:stream'
import { contract, type Endpoint } from '@plinth/contract'
import { describe, expect, test } from 'vitest'
import { masterFactory } from '../../test/factories/masters.ts'
import { fillPath } from '../../test/harness/fill-path.ts'
import { freshEmail, makeTestApp } from '../../test/harness.ts'

const server = await makeTestApp()
const { app, call, people, db } = server
const withBody = Object.values(contract)
  .flatMap(table => Object.values(table))
  .filter(endpoint => 'body' in endpoint)
const json = { 'content-type': 'application/json' }
const multipart = 'multipart/form-data; boundary=x'
const notJson = { status: 415, code: 'unsupported_media_type' }
const spoiled = { status: 400, code: 'malformed_body' }

/** For a master, signed in with a second factor, every call is open. */
const master = masterFactory(server)

describe('bodies', () => {
  test.each(withBody.map(endpoint => [endpoint.method, endpoint.path, endpoint] as const))(
    '%s %s refuses what is not its JSON [T-77] [T-78]',
    async (method, url, { needs, files, maxBody = 64 * 1024 }: Endpoint) => {
      const user = needs === 'master' ? await master() : await people.owner()
      const send = async (payload: string | Readable, headers: Record<string, string>) => {
        const reply = await app.inject({
          method,
          url: fillPath(url),
          payload,
          headers: { authorization: `Bearer ${user.token}`, ...headers },
        })
        const isJson = String(reply.headers['content-type']).includes('json')
        return { status: reply.statusCode, code: isJson ? reply.json().code : undefined }
      }
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        ...(files ? [] : [multipart]),
        'application/jsonp',
        'application/json\t;x',
        'application/json;',
        'application/json;charset=latin1',
        'application/json, application/json',
        // In front of a header's value Node's parser drops blanks; one that is still there came some other way.
        ' application/json',
        '',
        'text/json',
        'application/xml',
      ]) {
        expect(await send('{}', { 'content-type': type }), type).toEqual(notJson)
      }
      if (files) expect(await send('{}', { 'content-type': multipart })).toEqual(spoiled)
      expect(await send('{}', {}), 'no type').toEqual(notJson)
      expect(await send(Readable.from('{}'), { 'transfer-encoding': 'chunked' }), 'no type').toEqual(notJson)
      // Capitals mean nothing in a type, so this is JSON: read and judged as the same in small letters.
      for (const type of ['APPLICATION/JSON', 'Application/Json; Charset="UTF-8"'])
        for (const body of ['{', '{"__proto__":{"a":1}}', '{"no_such_field":1}', '[]'])
          expect(await send(body, { 'content-type': type }), type + body).toEqual(await send(body, json))
      for (const body of ['{', '[', 'nul', '"', '{"a":1,}', '\u0000'])
        expect(await send(body, json), JSON.stringify(body)).toEqual(spoiled)
      expect(await send('', json), 'no body').toEqual(await send('{}', json))
      expect(await send('{}', { ...json, 'content-encoding': 'gzip' })).toEqual(notJson)
      for (const body of ['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}'])
        expect(await send(body, json), body).toEqual(spoiled)
      for (const body of ['null', '[]', '7', '"text"', '[{"email":"a@b.cc"}]', '{"no_such_field":1}']) {
        const { status } = await send(body, json)
        // A body may be left out where all of it is optional; null is the same as that.
        expect(status >= 400 && status < 500, `${body}: ${status}`).toBe(body !== 'null' || status !== 200)
      }
      expect(await send(`{"email":"${'x'.repeat(maxBody)}"}`, json)).toEqual({
        status: 413,
        code: 'body_too_large',
      })
      const { status } = await send(`${'['.repeat(10_000)}${']'.repeat(10_000)}`, json)
      expect([400, 413, 422]).toContain(status)
    },
  )

  test('each field of the wrong type is refused at its field, never with a 500', async () => {
    const wrong = [
      null,
      1,
      Number.POSITIVE_INFINITY,
      -1,
      true,
      [],
      ['a'],
      {},
      { a: { b: 1 } },
      '\u0000',
      '\uD800',
      'x'.repeat(60_000),
    ]
    for (const field of ['first_name', 'last_name', 'email', 'password']) {
      for (const value of wrong) {
        const body = {
          first_name: 'A',
          last_name: 'B',
          email: 'a@test.plinth.example',
          password: 'good-password-1',
          [field]: value,
        }
        const answer = await call('POST', '/api/account', { body })
        expect([400, 413, 422], `${field}: ${JSON.stringify(value)?.slice(0, 40)}`).toContain(answer.status)
        if (answer.status === 422) expect(answer.body.inputError).toBe(field)
      }
    }
    const { rows } = await db.asOwnerOfJobs(
      "select count(*) from users where email = 'a@test.plinth.example'",
    )
    expect(rows).toEqual([{ count: 0 }])
  })

  /**
   * Of two fields with one name the last counts. That is safe because one parser reads each body once, and its result is
   * both validated and used. The provider's webhook reads the bytes itself and has a signature over all of them.
   */
  describe('a field that comes twice is its last value, for who validates and for who acts [T-77]', () => {
    const send = async (method: 'POST' | 'PATCH', url: string, payload: string, token?: string) => {
      const headers = { ...json, ...(token && { authorization: `Bearer ${token}` }) }
      const reply = await app.inject({ method, url, payload, headers })
      return { status: reply.statusCode, body: reply.json() }
    }
    const found = async (sql: string, values: unknown[]) => (await db.asOwnerOfJobs(sql, values)).rows

    test.each(['email', 'em\\u0061il'])('two addresses at sign-up, the second called %s', async again => {
      const rest = '"first_name":"A","last_name":"B","password":"good-password-1"'
      const signUp = (first: string, second: string) =>
        send('POST', '/api/account', `{"email":"${first}",${rest},"${again}":"${second}"}`)
      const [one, two] = [freshEmail('one'), freshEmail('two')]
      const made = () => found('select email from users where email = any ($1)', [[one, two]])
      for (const wrong of ['no address', '', `${one}\\u0000`])
        expect(await signUp(one, wrong)).toMatchObject({ status: 422, body: { inputError: 'email' } })
      expect(await made()).toEqual([])
      expect((await signUp('no address', one)).status).toBe(200)
      expect(await made()).toEqual([{ email: one }])
      expect((await signUp(one, two)).status).toBe(200)
      expect(await made()).toEqual(expect.arrayContaining([{ email: one }, { email: two }]))
    })

    test('two permissions in an invitation', async () => {
      const admin = await people.member(await people.owner(), 'admin')
      const email = freshEmail('invited')
      const invite = (first: string, second: string) => {
        const body = `{"permission":"${first}","email":"${email}","permission":"${second}"}`
        return send('POST', '/api/invite', body, admin.token)
      }
      const roles = () => found('select role from invites where email = $1', [email])
      for (const wrong of ['master', 'owner', ''])
        expect((await invite('user', wrong)).status, wrong).toBeGreaterThanOrEqual(400)
      expect(await roles()).toEqual([])
      expect((await invite('owner', 'user')).status).toBe(200)
      expect(await roles()).toEqual([{ role: 'user' }])
    })

    test('two permissions for a member', async () => {
      const owner = await people.owner()
      const { id } = await people.member(owner, 'user')
      const change = (first: string, second: string) => {
        const body = `{"permission":"${first}","id":"${id}","permission":"${second}"}`
        return send('PATCH', '/api/user', body, owner.token)
      }
      const roles = () =>
        found('select role from memberships where user_id = $1 and account_id = $2', [id, owner.account_id])
      expect((await change('developer', 'master')).status).toBe(422)
      expect(await roles()).toEqual([{ role: 'user' }])
      expect((await change('master', 'developer')).status).toBe(200)
      expect(await roles()).toEqual([{ role: 'developer' }])
    })
  })
})
