import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../test/harness.ts'

const { call, people, db, clock } = await makeTestApp()
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows

describe('a session whose role is older than the database', () => {
  test('only the user’s own link proves an address [T-24] [T-38]', async () => {
    const ready = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { email, token } = await people.signUp()
        return { token, link: await people.linkToken(email), victim: freshEmail('victim') }
      }),
    )
    const answers = await Promise.all(
      ready.flatMap(({ token, link, victim }) => {
        const change = () => call('PATCH', '/api/user', { token, body: { email: victim } })
        const verify = () => call('POST', '/api/user/verify', { token, body: { token: link } })
        return [change(), verify(), change(), change(), change()]
      }),
    )
    for (const { status } of answers) expect([200, 401, 409, 422]).toContain(status)
    const victims = ready.map(({ victim }) => victim)
    expect(
      await rows('select 1 from users where email = any($1) and verified_at is not null', [victims]),
    ).toEqual([])
  })

  test('a deleted user is signed out instead of causing an error', async () => {
    const email = freshEmail()
    const first = await people.signUp(email)
    const seen = await people.mailTo(email)
    const second = await people.signUp(email)
    const link = await people.linkToken(email, seen.id)
    const answers = await Promise.all([
      call('POST', '/api/user/verify', { token: second.token, body: { token: link } }),
      ...Array.from({ length: 50 }, (_, n) =>
        n % 2
          ? call('PATCH', '/api/user', { token: first.token, body: { dark_mode: true } })
          : call('POST', '/api/user/verify/request', { token: first.token }),
      ),
    ])
    for (const { status } of answers) expect([200, 401]).toContain(status)
  })

  test('verifying an address while other users of it close their accounts does not deadlock [F-01]', async () => {
    const email = freshEmail('claimed')
    const own = await people.signUp(email)
    const link = await people.linkToken(email)
    const others = await Promise.all(Array.from({ length: 49 }, () => people.signUp(email)))
    const [proven, ...closed] = await Promise.all([
      call('POST', '/api/user/verify', { token: own.token, body: { token: link } }),
      ...others.map(({ token }) => call('DELETE', '/api/account', { token, body: { password } })),
    ])
    expect(proven.status).toBe(200)
    for (const { status } of closed) expect([200, 401]).toContain(status)
    expect(await rows('select id from users where email = $1', [email])).toEqual([{ id: own.id }])
  })
})

describe('sessions that replace one another [T-19]', () => {
  test('switching to the same account changes neither start nor end of the session', async () => {
    const user = await people.owner()
    const times = () =>
      rows(
        'select authenticated_at, expires_at from sessions where user_id = $1 order by created_at desc limit 1',
        [user.id],
      )
    const before = await times()
    clock.add(6 * 86_400_000)
    const again = await call('POST', '/api/auth/switch', {
      token: user.token,
      body: { account: user.account_id },
    })
    expect(again.status).toBe(200)
    expect(await times()).toEqual(before)
  })

  test('parallel switches leave one session', async () => {
    const user = await people.owner()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        call('POST', '/api/auth/switch', { token: user.token, body: { account: user.account_id } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49)
  })
})

describe('opening another account [T-43]', () => {
  test('an account of others can’t be opened and gets the reply of an unknown one', async () => {
    const [user, other] = [await people.owner(), await people.owner()]
    const open = (account: string) =>
      call('POST', '/api/auth/switch', { token: user.token, body: { account } })
    const [foreign, none] = [await open(other.account_id), await open('00000000-0000-4000-8000-00000000dead')]
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(none.body)
    expect((await call('GET', '/api/auth', { token: user.token })).data.account_id).toBe(user.account_id)
  })

  test.runIf(!db.embedded)(
    'a sign-in does not wait for another sign-in of the user that deletes old devices',
    async () => {
      const owner = await people.owner()
      await rows(
        `insert into devices (user_id, browser_hash, network, first_used_at, last_used_at)
         select $1, sha256(n::text::bytea), '192.0.2.1', $2, $2 from generate_series(1, 30) n`,
        [owner.id, new Date(clock.now().getTime() - 86_400_000)],
      )
      const other = new pg.Client({ connectionString: db.pool.options.connectionString })
      await other.connect()
      try {
        // Another sign-in is in the middle of it; were it waited for, it could be waiting for this one.
        await other.query('begin')
        await other.query('select from devices where user_id = $1 for update', [owner.id])
        const body = { email: owner.email, password }
        expect((await call('POST', '/api/auth', { body })).status).toBe(200)
        await other.query('rollback')
        expect((await call('POST', '/api/auth', { body })).status).toBe(200)
      } finally {
        await other.end()
      }
      expect(await rows('select count(*)::int as n from devices where user_id = $1', [owner.id])).toEqual([
        { n: 20 },
      ])
    },
  )

  test('a membership that ends in the middle of 50 switches leaves no session in that account', async () => {
    const owner = await people.owner()
    const member = await people.member(owner, 'developer')
    const home = member.accounts.find(({ id }) => id !== owner.account_id)
    await call('POST', '/api/auth/switch', { token: member.token, body: { account: home?.id } })
    const tokens = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { data } = await call('POST', '/api/auth', { body: { email: member.email, password } })
        return String(data.token)
      }),
    )
    const [answers] = await Promise.all([
      Promise.all(
        tokens.map(token => call('POST', '/api/auth/switch', { token, body: { account: owner.account_id } })),
      ),
      // The user's row first, as whatever ends a membership does.
      rows(
        `with held as (select id from users where id = $2 for update)
         delete from memberships m using held where m.account_id = $1 and m.user_id = held.id`,
        [owner.account_id, member.id],
      ),
    ])
    for (const { status } of answers) expect([200, 401, 404]).toContain(status)
    expect(
      await rows('select 1 from sessions where account_id = $1 and user_id = $2', [
        owner.account_id,
        member.id,
      ]),
    ).toEqual([])
    for (const { data } of answers)
      if (data?.token)
        expect((await call('GET', '/api/auth', { token: data.token })).data.authenticated).toBe(false)
  })
})
