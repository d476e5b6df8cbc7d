import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp } from '../../../test/harness.ts'

const { call, people, db, clock } = await makeTestApp()
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows

describe('a session that knows less than the database', () => {
  test('nobody gets a proven address that no link of theirs has proven [T-24] [T-38]', async () => {
    for (let round = 0; round < 8; round++) {
      const user = await people.signUp()
      const link = await people.linkToken(user.email)
      const victim = freshEmail('victim')
      const answers = await Promise.all([
        call('PATCH', '/api/user', { token: user.token, body: { email: victim } }),
        call('POST', '/api/user/verify', { token: user.token, body: { token: link } }),
        ...Array.from({ length: 3 }, () =>
          call('PATCH', '/api/user', { token: user.token, body: { email: victim } }),
        ),
      ])
      for (const { status } of answers) expect([200, 401, 409, 422]).toContain(status)
      expect(
        await rows('select 1 from users where email = $1 and verified_at is not null', [victim]),
      ).toEqual([])
    }
  })

  test('a user who is gone is signed out, not an error', async () => {
    const email = freshEmail()
    const first = await people.signUp(email)
    const seen = await people.mailTo(email)
    const second = await people.signUp(email)
    const link = await people.linkToken(email, seen.id)
    const answers = await Promise.all([
      call('POST', '/api/user/verify', { token: second.token, body: { token: link } }),
      ...Array.from({ length: 10 }, (_, n) =>
        n % 2
          ? call('PATCH', '/api/user', { token: first.token, body: { dark_mode: true } })
          : call('POST', '/api/user/verify/request', { token: first.token }),
      ),
    ])
    for (const { status } of answers) expect([200, 401]).toContain(status)
  })
})

describe('sessions that replace one another [T-19]', () => {
  test('switching to the same account makes a session neither younger nor longer', async () => {
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
      Array.from({ length: 10 }, () =>
        call('POST', '/api/auth/switch', { token: user.token, body: { account: user.account_id } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9)
  })
})
