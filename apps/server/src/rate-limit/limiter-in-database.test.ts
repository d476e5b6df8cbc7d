import { describe, expect, onTestFinished, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../test/harness.ts'

const { call, people, clock, db } = await makeTestApp({ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' })
clock.freeze()
const from = (ip: string) => ({ 'x-forwarded-for': ip })
const rows = async (text: string) => (await db.asOwnerOfJobs(text)).rows

/** Takes a table away for the rest of the test. */
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
  test('budgets that can’t be counted refuse', async () => {
    const ask = () =>
      call('POST', '/api/auth/session/end', { body: { token: 'x' }, headers: from('192.0.2.77') })
    expect((await ask()).status).toBe(422)
    await without('rate_limits')
    expect(await ask()).toMatchObject(busy)
  })

  test('brakes that can’t count refuse, the right password too', async () => {
    const { email } = await people.verified()
    const signIn = () => call('POST', '/api/auth', { body: { email, password }, headers: from('192.0.2.76') })
    expect((await signIn()).status).toBe(200)
    await without('brakes')
    expect(await signIn()).toMatchObject(busy)
  })

  test('a right password that can’t be counted opens nothing, and nobody’s failures change', async () => {
    const { email, id } = await people.verified()
    const signIn = (word: string) =>
      call('POST', '/api/auth', { body: { email, password: word }, headers: from('192.0.2.75') })
    const kept = async () => [
      await rows('select key, failures, paused_until from brakes order by key'),
      await rows(`select id from sessions where user_id = '${id}' order by id`),
    ]
    expect((await signIn('wrong-one-1')).status).toBe(422)
    const before = await kept()
    await without('rate_limits')
    expect((await signIn(password)).status).toBe(500)
    expect(await kept()).toEqual(before)
  })

  test('what fails after a right password was counted takes no failure of others back', async () => {
    const { email, id } = await people.verified()
    await rows(`insert into two_factors (user_id, sealed_secret, enabled_at) values ('${id}', 'x', now())`)
    const signIn = (word: string) =>
      call('POST', '/api/auth', { body: { email, password: word }, headers: from('192.0.2.74') })
    const failures = async () => {
      const found = await rows('select key, failures from brakes order by key')
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

  test('no address and no network is kept where calls are counted', async () => {
    const email = freshEmail()
    await call('POST', '/api/account', {
      body: { first_name: 'Mara', last_name: 'Okafor', email, password },
      headers: from('192.0.2.78'),
    })
    await call('POST', '/api/auth', { body: { email, password: 'wrong-one-1' }, headers: from('192.0.2.78') })
    const keys = JSON.stringify(await rows('select key from rate_limits union all select key from brakes'))
    expect(keys).toContain('mail:address:')
    expect(keys).toContain('sign_in:address_network:')
    expect(keys).not.toContain(email)
    expect(keys).not.toContain('192.0.2.78')
  })

  test('while everybody is guessed at, only a first few tries are free: a slower start, never a lock [T-11]', async () => {
    const { email } = await people.verified()
    const guess = (ip: string, word: string) =>
      call('POST', '/api/auth', { body: { email, password: word }, headers: from(ip) })
    expect((await guess('192.0.2.60', 'wrong-one-1')).status).toBe(422)
    await rows(`update brakes set failures = 3001 where key = 'sign_in:all'`)
    const tight = []
    for (let n = 0; n < 5; n++) tight.push((await guess('192.0.2.61', 'wrong-one-1')).status)
    expect(tight).toEqual([422, 422, 422, 429, 429])
    expect((await guess('192.0.2.62', password)).status).toBe(200)
  })
})
