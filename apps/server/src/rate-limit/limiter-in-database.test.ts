import { describe, expect, onTestFinished, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../test/harness.ts'

const { call, people, clock, db } = await makeTestApp({ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' })
clock.freeze()
const from = (ip: string) => ({ 'x-forwarded-for': ip })
const rows = async (text: string) => (await db.asOwnerOfJobs(text)).rows

/** Renames a table until the test ends. */
async function without(table: string) {
  const rename = (before: string, after: string) =>
    db.pool.query(`begin; set local role none; alter table ${before} rename to ${after}; commit`)
  await rename(table, `${table}_gone`)
  onTestFinished(async () => {
    await rename(`${table}_gone`, table)
  })
}
const busy = { status: 503, body: { code: 'busy' }, headers: { 'retry-after': '2' } }

describe('counted in the database [T-79]', () => {
  test('a call is refused when its rate limit can’t be counted', async () => {
    const ask = () =>
      call('POST', '/api/auth/session/end', { body: { token: 'x' }, headers: from('192.0.2.77') })
    expect((await ask()).status).toBe(422)
    await without('rate_limits')
    expect(await ask()).toMatchObject(busy)
  })

  test('a sign-in is refused when failures can’t be counted, also with the right password', async () => {
    const { email } = await people.verified()
    const signIn = () => call('POST', '/api/auth', { body: { email, password }, headers: from('192.0.2.76') })
    expect((await signIn()).status).toBe(200)
    await without('login_throttle')
    expect(await signIn()).toMatchObject(busy)
  })

  test('a right password that can’t be counted opens no session and changes no failures', async () => {
    const { email, id } = await people.verified()
    const signIn = (word: string) =>
      call('POST', '/api/auth', { body: { email, password: word }, headers: from('192.0.2.75') })
    const kept = async () => [
      await rows('select key, failures, paused_until from login_throttle order by key'),
      await rows(`select id from sessions where user_id = '${id}' order by id`),
    ]
    expect((await signIn('wrong-one-1')).status).toBe(422)
    const before = await kept()
    await without('rate_limits')
    expect(await signIn(password)).toMatchObject(busy)
    expect(await kept()).toEqual(before)
  })

  test('an error after a right password changes no failures of other addresses', async () => {
    const { email, id } = await people.verified()
    await rows(`insert into two_factors (user_id, sealed_secret, enabled_at) values ('${id}', 'x', now())`)
    const signIn = (word: string) =>
      call('POST', '/api/auth', { body: { email, password: word }, headers: from('192.0.2.74') })
    const failures = async () => {
      const found = await rows('select key, failures from login_throttle order by key')
      return new Map(
        found.map(row => Object.values(row as { key: string; failures: number }) as [string, number]),
      ) // as: the columns asked for
    }
    await call('POST', '/api/auth', {
      body: { email: freshEmail(), password: 'wrong-one-1' },
      headers: from('192.0.2.74'),
    })
    const before = await failures()
    await without('challenges')
    expect((await signIn(password)).status).toBe(500)
    const after = await failures()
    for (const [key, count] of before) expect(after.get(key), key).toBe(count)
  })

  test('counters contain neither addresses nor networks', async () => {
    const email = freshEmail()
    await call('POST', '/api/account', {
      body: { first_name: 'Mara', last_name: 'Okafor', email, password },
      headers: from('192.0.2.78'),
    })
    await call('POST', '/api/auth', { body: { email, password: 'wrong-one-1' }, headers: from('192.0.2.78') })
    const keys = JSON.stringify(
      await rows('select key from rate_limits union all select key from login_throttle'),
    )
    expect(keys).toContain('mail:address:')
    expect(keys).toContain('sign_in:address_network:')
    expect(keys).not.toContain(email)
    expect(keys).not.toContain('192.0.2.78')
  })

  test('above the global limit fewer failures are free, and the right password still signs in [T-11]', async () => {
    const { email } = await people.verified()
    const guess = (ip: string, word: string) =>
      call('POST', '/api/auth', { body: { email, password: word }, headers: from(ip) })
    expect((await guess('192.0.2.60', 'wrong-one-1')).status).toBe(422)
    await rows(`update login_throttle set failures = 3001 where key = 'sign_in:all'`)
    const tight = []
    for (let n = 0; n < 5; n++) tight.push((await guess('192.0.2.61', 'wrong-one-1')).status)
    expect(tight).toEqual([422, 422, 422, 429, 429])
    expect((await guess('192.0.2.62', password)).status).toBe(200)
  })
})
