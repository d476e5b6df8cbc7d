import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'
import { linkHelpers } from '../../../../test/sign-in/magic-and-reset-links.ts'

const app = await makeTestApp()
const { call, people, clock, db } = app
const { ask, link, redeem, isSignedIn, signIn, waitForRequests, insertTwoFactor } = linkHelpers(app)
const minute = 60_000

describe('a magic link', () => {
  test('signs in once, from any browser [call:POST /api/auth/magic] [call:POST /api/auth/magic/verify]', async () => {
    const user = await people.owner()
    const { token, mail } = await link('magic', user.email)
    expect(mail.subject).toBe('Your sign-in link')
    expect(mail.text).toContain('10 minutes')
    expect(mail.links.find(at => at.includes(token))).toMatch(
      /^http:\/\/localhost:5000\/magic\?token=[\w-]{43}$/,
    )
    const answer = await redeem(token)
    expect(answer).toMatchObject({ status: 200, data: { id: user.id, verified: true, plan: 'free' } })
    expect(answer.body.message).toBeUndefined()
    expect(await isSignedIn(answer.data.token)).toBe(true)
    expect(await isSignedIn(user.token)).toBe(true)
    const again = await redeem(token)
    expect([again.status, again.body.code]).toEqual([422, 'link_expired'])
  })

  test('the form’s password field is taken and not read', async () => {
    const body = { email: freshEmail(), password: '' }
    expect((await call('POST', '/api/auth/magic', { body })).status).toBe(200)
  })

  test('asks for the second factor [T-17]', async () => {
    const user = await people.owner()
    await insertTwoFactor(user)
    const { token } = await link('magic', user.email)
    const { status, data } = await redeem(token)
    expect([status, data]).toEqual([200, { token: expect.any(String), '2fa_required': true }])
    expect(await isSignedIn(data.token)).toBe(false)
  })

  test('works for ten minutes', async () => {
    const user = await people.verified()
    const { token } = await link('magic', user.email)
    clock.add(10 * minute)
    const late = await redeem(token)
    clock.add(-10 * minute)
    expect(late.body.code).toBe('link_expired')
  })

  test('a request that is processed too late sends no mail', async () => {
    const user = await people.verified()
    const seen = await people.mailTo(user.email)
    clock.add(-20 * minute)
    await ask('magic', user.email)
    clock.add(20 * minute)
    await waitForRequests()
    expect((await people.mailTo(user.email)).id).toBe(seen.id)
  })

  test('is sent to the stored address in the stored language, with a link to our host [T-23] [T-74]', async () => {
    const user = await people.verified()
    await call('PATCH', '/api/user', { token: user.token, body: { locale: 'de' } })
    const { id } = await people.mailTo(user.email)
    await call('POST', '/api/auth/magic', {
      body: { email: ` ${user.email.toUpperCase()} ` },
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    const mail = await people.mailTo(user.email, id)
    expect(mail.subject).toBe('Ihr Anmeldelink')
    for (const at of mail.links) expect(at).toMatch(/^http:\/\/localhost:5000\//)
  })

  test.each(['', 'x'.repeat(201), 'not-a-token', '\u0000'])('nonsense opens nothing (%#)', async token => {
    expect((await redeem(token)).status).toBe(422)
  })
})

describe('an unverified user whose address a link verifies [T-38]', () => {
  test('removes everything that another person could have set up', async () => {
    const email = freshEmail('victim')
    const stranger = await people.signUp(email, 'Evil')
    const other = await people.signUp(email, 'Newer')
    await insertTwoFactor(other)
    await db.asOwnerOfJobs('update users set support_enabled = true, default_account_id = $2 where id = $1', [
      other.id,
      other.account_id,
    ])
    await db.asOwnerOfJobs(
      `insert into identities (id, user_id, provider, issuer, subject, email, created_at, last_used_at)
       values (gen_random_uuid(), $1, 'google', 'https://accounts.example', 'stranger', $2, now(), now())`,
      [other.id, email],
    )
    const { id } = await people.mailTo(email)
    const { token } = await link('magic', email, id)
    const { status, data, body } = await redeem(token)
    expect([status, data.verified, data.id]).toEqual([200, true, other.id])
    expect(body.message).toContain('no longer works')
    expect((await signIn(email, password)).body.code).toBe('credentials_wrong')
    expect(await Promise.all([stranger.token, other.token].map(isSignedIn))).toEqual([false, false])
    const { rows } = await db.asOwnerOfJobs(
      `select (select count(*)::int from users where email = $1) users,
         (select count(*)::int from two_factors where user_id = $2) factors,
         (select count(*)::int from identities where user_id = $2) identities,
         (select count(*)::int from mailed_tokens where user_id = $2 and used_at is null) links,
         (select count(*)::int from users where id = $2 and (support_enabled or default_account_id is not null)) choices,
         (select count(*)::int from accounts where id = $3) strangers`,
      [email, other.id, stranger.account_id],
    )
    expect(rows[0]).toEqual({ users: 1, factors: 0, identities: 0, links: 0, choices: 0, strangers: 0 })
  })

  test('for an address with a verified user the link signs in that user; an unverified one stays unverified', async () => {
    const user = await people.verified()
    const claim = await people.signUp(user.email, 'Evil')
    const { id } = await people.mailTo(user.email)
    const { token } = await link('magic', user.email, id)
    const { data } = await redeem(token)
    expect([data.id, data.name]).toEqual([user.id, 'Mara Okafor'])
    expect((await call('GET', '/api/auth', { token: claim.token })).data.verified).toBe(false)
  })

  test('opens nothing when another user has proven the address first', async () => {
    const email = freshEmail()
    const first = await people.signUp(email)
    const mailed = await people.mailTo(email)
    const verify = await people.linkToken(email)
    const second = await people.signUp(email)
    const { id } = await people.mailTo(email, mailed.id)
    const { token } = await link('magic', email, id)
    await call('POST', '/api/user/verify', { token: first.token, body: { token: verify } })
    expect((await redeem(token)).body.code).toBe('link_expired')
    expect(await isSignedIn(second.token)).toBe(false)
  })
})
