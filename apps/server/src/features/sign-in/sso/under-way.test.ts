import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { openSsoBrowser, ssoHelpers } from '../../../../test/sign-in/sso.ts'
import { enableTwoFactor } from '../../../../test/sign-in/two-factor.ts'

const made = await makeTestApp()
const { call, clock, databaseUrl, db, people } = made
const sso = ssoHelpers(made)
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows

type Company = Awaited<ReturnType<typeof sso.company>>

/** Everything after which what the connection said before counts no longer. */
const ends: Record<string, (company: Company) => Promise<unknown>> = {
  disabled: company => sso.api('PATCH', '/api/sso/connection', company, { enabled: false }),
  removed: company => sso.api('DELETE', '/api/sso/connection', company, {}),
  replaced: company => sso.connect({ ...company, name: `${company.name}-other` }),
  'disabled and enabled again': async company => {
    await sso.api('PATCH', '/api/sso/connection', company, { enabled: false })
    return sso.api('PATCH', '/api/sso/connection', company, { enabled: true })
  },
  'loaded again, for its keys may be others': company => sso.connect(company),
}
/** What also ends the sessions that are open by then. */
const closing = ['disabled', 'removed', 'replaced'] as const

/** As far as the token that the provider's answer was turned into. */
async function handed(company: Company, email: string) {
  const browser = openSsoBrowser(made)
  const { location } = await sso.start(browser, company)
  return { browser, ...(await sso.post(await sso.answer(location, { email }))) }
}
/**
 * Two codes advance the clock by a minute; the provider's does not, and its responses are valid for a few.
 */
const turnBack = () => onTestFinished(() => clock.add(-60_000))
const bySso = (company: Company) =>
  rows("select id from sessions where account_id = $1 and method = 'saml'", [company.owner.account_id])

describe('T-19 T-22: a sign-in in progress ends when its connection changes', () => {
  test.each(Object.entries(ends))('back from the provider, and then %s', async (_, end) => {
    const company = await sso.company()
    const { browser, token } = await handed(company, sso.address(company))
    expect(token).not.toBeNull()
    await end(company)
    expect((await sso.finish(browser, token)).body.code).toBe('sso_failed')
    expect(await bySso(company)).toEqual([])
  })

  test.each(Object.entries(ends))('before its second step, and then %s', async (_, end) => {
    const company = await sso.company()
    const email = sso.address(company)
    turnBack()
    const { data: session } = await sso.signIn(company, { email })
    const person = await enableTwoFactor(made, { ...session, email })
    const { data } = await sso.signIn(company, { email })
    expect(data['2fa_required']).toBe(true)
    await end(company)
    const code = await call('POST', '/api/auth/otp', { body: { jwt: data.token, code: person.next() } })
    expect(code.body.code).toBe('challenge_expired')
  })

  test('a challenge of another sign-in method continues', async () => {
    const company = await sso.company()
    turnBack()
    const person = await enableTwoFactor(made, await people.member(company.owner, 'user'))
    const body = { email: person.email, password: 'a-good-password-1' }
    const { data } = await call('POST', '/api/auth', { body })
    await ends.removed?.(company)
    const code = await call('POST', '/api/auth/otp', { body: { jwt: data.token, code: person.next() } })
    expect(code.status, code.text).toBe(200)
  })

  test.each(closing)('sixty parallel tries while the connection is %s: no session remains', async how => {
    const company = await sso.company()
    const email = sso.address(company)
    expect((await sso.signIn(company, { email })).status).toBe(200)
    const ready = await Promise.all(Array.from({ length: 10 }, () => handed(company, email)))
    const finish = () =>
      ready.flatMap(({ browser, token }) => [0, 1, 2].map(() => sso.finish(browser, token)))
    const before = finish()
    const ended = ends[how]?.(company)
    const answers = await Promise.all([...before, ...finish()])
    await ended
    for (const { status, text } of answers) expect([200, 422, 503], text).toContain(status)
    expect(await bySso(company)).toEqual([])
  })
})

describe.runIf(!db.embedded)('T-19: the later of two parallel calls sees the result of the first', () => {
  /** As the administrator of the database: the product's own roles don't see waiting locks. */
  const watcher = new pg.Client(databaseUrl ?? '')
  beforeAll(() => watcher.connect())
  afterAll(() => watcher.end())
  const waiting = async () => {
    const { rows: found } = await watcher.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return found.length
  }

  /** Holds a row; starts a sign-in, which stops there; then what ends it, which stops there as well or is done. */
  async function between(
    held: [table: string, id: string],
    enter: () => Promise<unknown>,
    end: () => Promise<unknown>,
  ) {
    const client = await db.pool.connect()
    try {
      await client.query(`begin; set local role ${db.roles.system}`)
      await client.query(`select id from ${held[0]} where id = $1 for update`, [held[1]])
      const entering = enter()
      await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
      let done = false
      const ending = end().finally(() => {
        done = true
      })
      await expect.poll(async () => done || (await waiting()) === 2, { timeout: 20_000 }).toBe(true)
      await client.query('commit')
      return await Promise.all([entering, ending])
    } finally {
      client.release()
    }
  }

  test.each(closing)('a known user whose row is locked while the connection is %s', async how => {
    const company = await sso.company()
    const email = sso.address(company)
    const { data } = await sso.signIn(company, { email })
    const { browser, token } = await handed(company, email)
    await between(
      ['users', data.id],
      () => sso.finish(browser, token),
      () => ends[how]?.(company) ?? expect.fail(),
    )
    expect(await bySso(company)).toEqual([])
  })

  test.each(closing)('a new user while the account is locked and the connection is %s', async how => {
    const company = await sso.company()
    const { browser, token } = await handed(company, sso.address(company))
    await between(
      ['accounts', company.owner.account_id],
      () => sso.finish(browser, token),
      () => ends[how]?.(company) ?? expect.fail(),
    )
    expect(await bySso(company)).toEqual([])
  })
})
