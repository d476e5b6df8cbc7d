import { describe, expect, test } from 'vitest'
import { makeTestApp, password } from '../../../test/harness.ts'
import { linkHelpers } from '../../../test/links.ts'
import { codeOf, withSecondFactor, wrongCode } from '../../../test/second-factor.ts'
import { openBrowser, tokenOf } from '../../../test/social.ts'
import { ssoOf } from '../../../test/sso.ts'

const server = await makeTestApp()
const { app, call, clock, db, people } = server
const { link, reset, signIn, alive } = linkHelpers(server)
const sso = ssoOf(server)
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows
type Answer = Awaited<ReturnType<typeof call>>

const rounds = Array.from({ length: 6 }, (_, round) => round)

/** Comes in again and again, three at a time, until what ends the sessions is done; answers what came of it. */
async function during<T>(end: () => Promise<T>, enter: () => Promise<Answer>) {
  let going = true
  const answers: Answer[] = []
  const doors = [0, 1, 2].map(async () => {
    while (going) answers.push(await enter())
  })
  // The doors are open before somebody shuts them.
  await enter()
  const ended = await end().finally(() => {
    going = false
  })
  await Promise.all(doors)
  for (const { status, text } of answers) expect([200, 401, 403, 422, 429, 503], text).toContain(status)
  return { ended, answers }
}

async function nobodyIn(answers: Answer[]) {
  for (const { data } of answers) if (data?.token) expect(await alive(data.token)).toBe(false)
}
const sessionsBy = (id: string, method: string) =>
  rows('select id from sessions where user_id = $1 and method = $2', [id, method])

describe('T-19: a sign-in under way does not survive what ends all sessions', () => {
  test('a new password', async () => {
    const user = await people.owner()
    let { token } = user
    let old = password
    for (const round of rounds) {
      const fresh = `lantern-of-${round}-stones!`
      const change = () =>
        call('PUT', '/api/user/password', { token, body: { oldpassword: old, newpassword: fresh } })
      const { ended, answers } = await during(change, () => signIn(user.email, old))
      expect(ended.status, ended.text).toBe(200)
      expect(await sessionsBy(user.id, 'password')).toEqual([])
      await nobodyIn(answers)
      token = ended.data.token
      old = fresh
    }
  })

  test('a reset by mail', async () => {
    const user = await people.owner()
    let old = password
    let seen: string | undefined
    for (const round of rounds) {
      const { token, mail } = await link('reset', user.email, seen)
      const fresh = `harbour-of-${round}-lights!`
      const { ended, answers } = await during(
        () => reset(token, fresh),
        () => signIn(user.email, old),
      )
      expect(ended.status, ended.text).toBe(200)
      expect(await sessionsBy(user.id, 'password')).toEqual([])
      await nobodyIn(answers)
      old = fresh
      seen = mail.id
    }
  })

  test('a reset while codes of the second step are tried', async () => {
    const user = await withSecondFactor(server, await people.owner())
    const first = await signIn(user.email, password)
    const { token } = await link('reset', user.email)
    const jwt: string = first.data.token
    const tries = Array.from({ length: 4 }, () =>
      call('POST', '/api/auth/otp', { body: { jwt, code: wrongCode(user.secret, clock.now()) } }),
    )
    const answers = await Promise.all([...tries, reset(token, 'harbour-of-9-lights!')])
    expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
    const late = await call('POST', '/api/auth/otp', { body: { jwt, code: user.next() } })
    expect(late.body.code).toBe('challenge_expired')
  })

  test('the second factor, turned on', async () => {
    const user = await people.owner()
    let { token } = user
    for (const _ of rounds) {
      const begun = await call('PUT', '/api/user/2fa', { token, body: { '2fa_enabled': true } })
      clock.add(30_000)
      const verify = () =>
        call('POST', '/api/user/2fa/verify', {
          token,
          body: { code: codeOf(begun.data.secret, clock.now()) },
        })
      const { ended, answers } = await during(verify, () => signIn(user.email, password))
      expect(ended.status, ended.text).toBe(200)
      expect(
        await rows('select id from sessions where user_id = $1 and not second_factor', [user.id]),
      ).toEqual([])
      await nobodyIn(answers)
      token = ended.data.token
      const off = await call('PUT', '/api/user/2fa', { token, body: { '2fa_enabled': false } })
      expect(off.status, off.text).toBe(200)
    }
  })

  test('a social way in, disconnected', async () => {
    for (const _ of rounds) {
      const user = await people.owner()
      const who = { email: user.email, email_verified: true }
      await openBrowser(app).signIn('google', who)
      const ready = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const one = openBrowser(app)
          return { one, token: tokenOf(await one.through('google', who)) }
        }),
      )
      const [identity] = (await call('GET', '/api/user/identities', { token: user.token })).data
      const redeem = ({ one, token }: (typeof ready)[number]) => one.redeem(token)
      const before = ready.slice(0, 3).map(redeem)
      const gone = call('DELETE', `/api/user/identities/${identity.id}`, { token: user.token, body: {} })
      const answers = await Promise.all([...before, ...ready.slice(3).map(redeem)])
      expect((await gone).status, (await gone).text).toBe(200)
      for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBeLessThan(500)
      expect(await sessionsBy(user.id, 'social')).toEqual([])
    }
  })
})

describe('T-22: single sign-on, once required', () => {
  test('finds every session that was being opened another way', async () => {
    const company = await sso.company()
    const member = await people.verified()
    await rows("insert into memberships (account_id, user_id, role) values ($1, $2, 'user')", [
      company.owner.account_id,
      member.id,
    ])
    await rows('delete from accounts where id = $1', [member.account_id])
    const enforce = (enforced: boolean) =>
      sso.api('PATCH', '/api/sso/connection', company, { enforced, break_glass: [company.owner.id] })
    for (const _ of rounds) {
      const { answers } = await during(
        () => enforce(true),
        () => signIn(member.email, password),
      )
      expect(await rows('select id from sessions where user_id = $1', [member.id])).toEqual([])
      await nobodyIn(answers)
      await enforce(false)
    }
  })
})
