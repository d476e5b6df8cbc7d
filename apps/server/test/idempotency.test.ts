import type { FastifyReply } from 'fastify'
import { describe, expect, test } from 'vitest'
import { makeApp } from '../src/app.ts'
import type { Services } from '../src/context.ts'
import { type Keep, once } from '../src/endpoint/idempotency.ts'
import { hashToken, makeEncrypter, newToken } from '../src/lib/crypto.ts'
import { usePlan } from './factories/use-plan.ts'
import { freshEmail, makeTestApp, password } from './harness.ts'

const { call, people, services, db, clock } = await makeTestApp()
const newKey = () => ({ 'idempotency-key': crypto.randomUUID() })
const person = (email = freshEmail()) => ({ first_name: 'Mara', last_name: 'Okafor', email, password })
/** The same server and database with one part of the world put in another's place. */
const appWith = (part: Partial<Services>) =>
  makeApp({ services: { ...services, ...part }, db, readiness: { draining: false } })
const usersOf = async (email: string) =>
  (await db.asOwnerOfJobs('select count(*) from users where email = $1', [email])).rows[0]

describe('a repeated call gets the first answer', () => {
  test('whatever the order of the keys in its JSON', async () => {
    const { first_name, last_name, email } = person()
    const headers = newKey()
    const first = await call('POST', '/api/account', {
      body: { first_name, last_name, email, password },
      headers,
    })
    const again = await call('POST', '/api/account', {
      body: { password, email, last_name, first_name },
      headers,
    })
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.text).toBe(first.text)
  })

  test('also after the secret has been rotated', async () => {
    const body = person()
    const headers = newKey()
    const first = await call('POST', '/api/account', { body, headers })
    const rotated = await appWith({
      encrypter: makeEncrypter(['a newer secret, also long enough to be taken', ...services.config.secrets]),
    })
    const again = await rotated.inject({ method: 'POST', url: '/api/account', payload: body, headers })
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body).toBe(first.text)
    const other = { ...body, first_name: 'Other' }
    const refused = await rotated.inject({ method: 'POST', url: '/api/account', payload: other, headers })
    expect(refused.json()).toMatchObject({ code: 'idempotency_key_reused' })
    await rotated.close()
  })

  test('for only ten minutes when the reply has a session token; the key then neither signs in nor signs up', async () => {
    const host = (await call('POST', '/api/account', { body: person() })).data
    await usePlan(services, host, 'startup')
    const email = freshEmail('invited')
    const secret = newToken()
    await db.asOwnerOfJobs(
      `insert into invites (id, account_id, email, role, secret_hash, invited_by, sent_at, expires_at)
       values (gen_random_uuid(), $1, $2, 'user', $3, $4, $5, $5::timestamptz + interval '7 days')`,
      [host.account_id, email, hashToken(secret), host.id, clock.now()],
    )
    const calls = [
      { path: '/api/account', body: person() },
      { path: '/api/user', body: { ...person(email), invite_id: secret } },
    ]
    for (const { path, body } of calls) {
      const headers = newKey()
      const send = () => call('POST', path, { body, headers })
      const first = await send()
      expect(first).toMatchObject({ status: 200, data: { token: expect.any(String) } })
      clock.add(500_000)
      expect((await send()).text).toBe(first.text)
      clock.add(100_000)
      const late = await send()
      expect([late.status, late.body.code]).toEqual([401, 'sign_in_again'])
      expect(late.text).not.toContain(first.data.token)
      expect(await usersOf(body.email)).toEqual({ count: 1 })
    }
  })

  test('but only in the account that it was made in', async () => {
    const host = await usePlan(services, await people.owner(), 'startup')
    const away = await people.member(host, 'admin')
    const back = await call('POST', '/api/auth', { body: { email: away.email, password } })
    const { account_id, accounts } = back.data as { account_id: string; accounts: { id: string }[] } // as: the session user
    const own = accounts.find(account => account.id !== host.account_id) ?? { id: account_id }
    const home = await call('POST', '/api/auth/switch', {
      token: (back.data as { token: string }).token, // as: the session user
      body: { account: own.id },
    })
    await usePlan(services, { account_id: own.id }, 'startup')
    const options = { body: { email: freshEmail() }, headers: newKey() }
    const there = await call('POST', '/api/invite', { ...options, token: away.token })
    const here = await call('POST', '/api/invite', {
      ...options,
      token: (home.data as { token: string }).token, // as: the session user
    })
    expect([there.status, here.status]).toEqual([200, 200])
    expect(here.headers['idempotent-replayed']).toBeUndefined()
  })
})

describe('the answer and the work', () => {
  test('are one transaction where the work is not safe to repeat: sign-up, accepted invite, invite', async () => {
    // The record that is kept after the work is lost, as it is when the process is killed there.
    let writes = 0
    const forgetful = await appWith({
      asSystem: (reason, run) =>
        reason === 'idempotency key' && ++writes % 2 === 0
          ? Promise.reject(new Error('lost'))
          : services.asSystem(reason, run),
    })
    const body = person()
    const headers = newKey()
    const first = await forgetful.inject({ method: 'POST', url: '/api/account', payload: body, headers })
    expect(first.statusCode).toBe(200)
    clock.add(61_000)
    const again = await call('POST', '/api/account', { body, headers })
    expect(again.text).toBe(first.body)
    expect(await usersOf(body.email)).toEqual({ count: 1 })
    await forgetful.close()
  })

  test('an answer that can’t be kept is given all the same, and its key is not free again', async () => {
    const user = await people.verified()
    let writes = 0
    const forgetful = await appWith({
      asSystem: (reason, run) =>
        reason === 'idempotency key' && ++writes === 2
          ? Promise.reject(new Error('lost'))
          : services.asSystem(reason, run),
    })
    const headers = { ...newKey(), authorization: `Bearer ${user.token}` }
    const options = { method: 'POST', url: '/api/account/plan', payload: { plan: 'free' }, headers } as const
    expect((await forgetful.inject(options)).json()).toMatchObject({ data: { plan: 'free' } })
    expect(writes, 'nothing is forgotten').toBe(2)
    expect((await forgetful.inject(options)).json()).toMatchObject({ code: 'operation_in_flight' })
    await forgetful.close()
  })

  test('a call that was overtaken after its time does not commit beside the other', async () => {
    const reply = { header: () => {} } as unknown as FastifyReply // as: all that is used of it
    const key = { scope: 'test', key: crypto.randomUUID(), params: { a: 1 } }
    const keepAnswer = (keep: Keep, data: string) =>
      services.asSystem('test', async tx => {
        await keep(tx, { data })
        return { data }
      })
    const overtaken = once(
      services,
      key,
      async keep => {
        clock.add(61_000)
        const other = await once(services, key, inner => keepAnswer(inner, 'second'), reply)
        expect(other).toEqual({ data: 'second' })
        return keepAnswer(keep, 'first')
      },
      reply,
    )
    await expect(overtaken).rejects.toMatchObject({ code: 'operation_in_flight' })
    expect(await once(services, key, () => Promise.reject(new Error('not run')), reply)).toEqual({
      data: 'second',
    })
  })
})
