import { describe, expect, test } from 'vitest'
import { makeTestApp, password } from '../../test/harness.ts'
import { linkHelpers } from '../../test/sign-in/magic-and-reset-links.ts'
import { openSocialBrowser, tokenInUrl } from '../../test/sign-in/social.ts'
import { ssoHelpers } from '../../test/sign-in/sso.ts'
import { enableTwoFactor, totpCode, wrongTotpCode } from '../../test/sign-in/two-factor.ts'

const server = await makeTestApp()
const { app, call, clock, db, people } = server
const { link, reset, signIn, isSignedIn } = linkHelpers(server)
const sso = ssoHelpers(server)
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows
type Answer = Awaited<ReturnType<typeof call>>
const fresh = 'lantern-of-9-stones!'

/** Fifty calls at once, by three methods each. */
const seventeenTimes = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: 17 }, make))

/** Signs in each user repeatedly, three at a time, while `end` runs. @returns its result and the replies of the sign-ins */
async function during<T>(end: () => Promise<T>, ...emails: string[]) {
  let going = true
  const answers: Answer[] = []
  const signIns = emails.flatMap(email =>
    [0, 1, 2].map(async () => {
      while (going) answers.push(await signIn(email, password))
    }),
  )
  // The sign-ins begin before the call that ends sessions.
  await Promise.all(emails.map(email => signIn(email, password)))
  const ended = await end().finally(() => {
    going = false
  })
  await Promise.all(signIns)
  for (const { status, text } of answers) expect([200, 401, 403, 422, 429, 503], text).toContain(status)
  return { ended, answers }
}

async function expectAllSignedOut(answers: Answer[]) {
  for (const { data } of answers) if (data?.token) expect(await isSignedIn(data.token)).toBe(false)
}
const sessionsBy = (id: string, method: string) =>
  rows('select id from sessions where user_id = $1 and method = $2', [id, method])

describe('T-19: a sign-in in progress does not survive a call that ends all sessions', () => {
  test('a new password', async () => {
    const users = await seventeenTimes(() => people.verified())
    await Promise.all(
      users.map(async ({ id, email, token }) => {
        const body = { oldpassword: password, newpassword: fresh }
        const { ended, answers } = await during(
          () => call('PUT', '/api/user/password', { token, body }),
          email,
        )
        expect(ended.status, ended.text).toBe(200)
        expect(await sessionsBy(id, 'password')).toEqual([])
        await expectAllSignedOut(answers)
      }),
    )
  })

  test('a reset by mail', async () => {
    const users = await seventeenTimes(async () => {
      const { id, email } = await people.verified()
      return { id, email, ...(await link('reset', email)) }
    })
    await Promise.all(
      users.map(async ({ id, email, token }) => {
        const { ended, answers } = await during(() => reset(token, fresh), email)
        expect(ended.status, ended.text).toBe(200)
        expect(await sessionsBy(id, 'password')).toEqual([])
        await expectAllSignedOut(answers)
      }),
    )
  })

  test('a reset while codes of the second step are tried', async () => {
    const user = await enableTwoFactor(server, await people.owner())
    const begun = await Promise.all(Array.from({ length: 50 }, () => signIn(user.email, password)))
    const { token } = await link('reset', user.email)
    const tryEach = (code: string) =>
      begun.map(({ data }) => call('POST', '/api/auth/otp', { body: { jwt: data.token, code } }))
    const answers = await Promise.all([
      ...tryEach(wrongTotpCode(user.secret, clock.now())),
      reset(token, fresh),
    ])
    expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
    for (const { body } of await Promise.all(tryEach(user.next())))
      expect(body.code).toBe('challenge_expired')
  })

  test('the second factor, turned on', async () => {
    const users = await seventeenTimes(async () => {
      const { id, email, token } = await people.verified()
      const begun = await call('PUT', '/api/user/2fa', { token, body: { '2fa_enabled': true } })
      return { id, email, token, body: { code: totpCode(begun.data.secret, clock.now()) } }
    })
    await Promise.all(
      users.map(async ({ id, email, token, body }) => {
        const { ended, answers } = await during(
          () => call('POST', '/api/user/2fa/verify', { token, body }),
          email,
        )
        expect(ended.status, ended.text).toBe(200)
        expect(await rows('select id from sessions where user_id = $1 and not second_factor', [id])).toEqual(
          [],
        )
        await expectAllSignedOut(answers)
      }),
    )
  })

  test('a social identity that is disconnected', async () => {
    const user = await people.owner()
    const who = { email: user.email, email_verified: true }
    await openSocialBrowser(app).signIn('google', who)
    const ready = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const one = openSocialBrowser(app)
        return { one, token: tokenInUrl(await one.completeAtProvider('google', who)) }
      }),
    )
    const [identity] = (await call('GET', '/api/user/identities', { token: user.token })).data
    const redeem = ({ one, token }: (typeof ready)[number]) => one.redeem(token)
    const before = ready.slice(0, 25).map(redeem)
    const gone = call('DELETE', `/api/user/identities/${identity.id}`, { token: user.token, body: {} })
    const answers = await Promise.all([...before, ...ready.slice(25).map(redeem)])
    expect((await gone).status, (await gone).text).toBe(200)
    for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBeLessThan(500)
    expect(await sessionsBy(user.id, 'social')).toEqual([])
  })
})

describe('T-22: single sign-on, once enforced', () => {
  test('ends every session that another method creates at the same time', async () => {
    const company = await sso.company()
    const members = await seventeenTimes(() => people.verified())
    const ids = members.map(({ id }) => id)
    await rows(
      "insert into memberships (account_id, user_id, role) select $1, id, 'user' from unnest($2::uuid[]) id",
      [company.owner.account_id, ids],
    )
    await rows('delete from accounts where id = any($1)', [members.map(({ account_id }) => account_id)])
    const enforce = (enforced: boolean) =>
      sso.api('PATCH', '/api/sso/connection', company, { enforced, break_glass: [company.owner.id] })
    for (const _ of [1, 2]) {
      const { answers } = await during(() => enforce(true), ...members.map(({ email }) => email))
      expect(await rows('select id from sessions where user_id = any($1)', [ids])).toEqual([])
      await expectAllSignedOut(answers)
      await enforce(false)
    }
  })
})
