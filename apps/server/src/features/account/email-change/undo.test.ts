import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { usePlan } from '../../../../test/factories/use-plan.ts'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'
import { emailChangeHelpers } from '../../../../test/sign-in/email-change.ts'
import { linkHelpers } from '../../../../test/sign-in/magic-and-reset-links.ts'
import { enableTwoFactor } from '../../../../test/sign-in/two-factor.ts'

const app = await makeTestApp()
const { call, people, db, clock, config, services } = app
const { ask, confirm, undo, signIn, confirmation, notice, rowOf, changed } = emailChangeHelpers(app)
const { link } = linkHelpers(app)

describe('the old address undoes it', () => {
  test('after the confirmation it restores the address, ends sessions and removes additions', async () => {
    const user = await changed()
    await db.asOwnerOfJobs(
      `insert into identities (id, user_id, provider, issuer, subject, created_at, last_used_at)
       values (gen_random_uuid(), $1, 'google', 'https://issuer.example', $2, $3, $3)`,
      [user.id, user.email, clock.now()],
    )
    const secret = user.undo_secret
    expect((await undo(secret)).status).toBe(200)
    expect(await rowOf(user.id)).toEqual({ email: user.old, verified: true })
    expect((await call('GET', '/api/user', { token: user.token })).status).toBe(401)
    for (const email of [user.old, user.email]) expect((await signIn(email)).status).toBe(422)
    const { rows } = await db.asOwnerOfJobs(
      'select (select count(*) from identities where user_id = $1) + (select count(*) from email_changes where user_id = $1) as count',
      [user.id],
    )
    expect(rows).toEqual([{ count: 0 }])
    expect((await undo(secret)).status).toBe(422)
    const mail = await expectMail(app, user.old, 'Your email address is back')
    expect(mail.text).toContain(`${config.publicUrl}/forgotpassword`)
  })

  test('T-24 it removes sign-in methods added since that sign-in, and at least in the last week', async () => {
    const user = await people.owner()
    const add = (days: number) =>
      db.asOwnerOfJobs(
        `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, synced, name, created_at)
         values (gen_random_uuid(), $1, decode($2, 'hex'), 'x', 0, '', false, $3, $4)`,
        [
          user.id,
          randomBytes(16).toString('hex'),
          `${days} days before`,
          new Date(clock.now().getTime() - days * 86_400_000),
        ],
      )
    await db.asOwnerOfJobs("insert into passkey_handles (user_id, handle) values ($1, decode($2, 'hex'))", [
      user.id,
      randomBytes(32).toString('hex'),
    ])
    await add(10)
    await add(6)
    // The session began before; the attacker adds methods, then changes the address.
    await add(0)
    await call('POST', '/api/key', { token: user.token, body: { name: 'Stolen', scope: ['event.create'] } })
    await db.asOwnerOfJobs(
      "insert into two_factors (user_id, sealed_secret, enabled_at) values ($1, 'x', $2)",
      [user.id, clock.now()],
    )
    clock.add(60_000)
    await ask(user.token, freshEmail('new'))
    expect((await undo(await notice(user.email))).status).toBe(200)
    const left = await db.asOwnerOfJobs(
      `select name from passkeys where user_id = $1 union all
       select 'two-factor' from two_factors where user_id = $1 union all
       select 'api key' from api_keys where created_by = $1 and revoked_at is null`,
      [user.id],
    )
    expect(left.rows).toEqual([{ name: '10 days before' }])
  })

  test('T-24 it revokes keys made or revealed in that time, also of others, and mails it [T-39]', async () => {
    const host = await usePlan(services, await people.owner(), 'startup')
    const user = await people.member(host, 'developer')
    const make = async (token: string, name: string): Promise<string> => {
      const made = await call('POST', '/api/key', { token, body: { name, scope: ['event.create'] } })
      expect(made.body).toMatchObject({ data: { name } })
      return made.data.id
    }
    const early = await make(user.token, 'Seen early')
    await call('POST', `/api/key/${early}/reveal`, { token: user.token })
    clock.add(8 * 86_400_000)
    const again = await call('POST', '/api/auth', { body: { email: user.email, password } })
    const switched = await call('POST', '/api/auth/switch', {
      token: again.data.token,
      body: { account: host.account_id },
    })
    const { token } = switched.data
    const fresh = await call('POST', '/api/auth', { body: { email: host.email, password } })
    await make(token, 'Made')
    const seen = await make(fresh.data.token, 'Seen')
    await make(fresh.data.token, 'Untouched')
    expect((await call('POST', `/api/key/${seen}/reveal`, { token })).status).toBe(200)
    await ask(token, freshEmail('new'))
    expect((await undo(await notice(user.email))).status).toBe(200)
    const keys = await call('GET', '/api/key', { token: fresh.data.token })
    const states = keys.data.map(({ name, active }: { name: string; active: boolean }) => [name, active])
    expect(Object.fromEntries(states)).toEqual({
      'Seen early': true,
      Made: false,
      Seen: false,
      Untouched: true,
    })
    const mail = await expectMail(app, user.email, 'Your email address is back')
    expect(mail.text).toMatch(/“Made” of .+ no longer works/)
    expect(mail.text).toMatch(/“Seen” of .+ no longer works/)
    expect(mail.text).not.toMatch(/early|Untouched/)
    const hostMail = await expectMail(app, host.email, /^An API key of .+ was revoked$/)
    expect(hostMail.text).toMatch(/“Seen”|“Made”/)
    expect(hostMail.text).not.toMatch(/early|Untouched/)
    const log = await call('GET', '/api/account/audit?what=api_key', { token: fresh.data.token })
    const revoked = log.data.filter(({ action }: { action: string }) => action === 'api_key.revoked')
    expect(revoked).toHaveLength(2)
    for (const entry of revoked)
      expect(entry).toMatchObject({ email: user.email, details: { because: 'email.change_undone' } })
  })

  test('T-24 a second factor set up before that sign-in stays, so the old mailbox is not enough to sign in', async () => {
    for (const again of [false, true]) {
      const person = await enableTwoFactor(app, await people.owner())
      const first = await call('POST', '/api/auth', { body: { email: person.email, password } })
      const step = { jwt: first.data.token, code: person.next() }
      let { token } = (await call('POST', '/api/auth/otp', { body: step })).data
      if (again) token = (await enableTwoFactor(app, { token })).token
      await ask(token, freshEmail('new'))
      expect((await undo(await notice(person.email))).status).toBe(200)
      const { token: jwt } = await link('reset', person.email)
      const body = { jwt, password: 'another-good-password-2' }
      const entered = await call('POST', '/api/auth/password/reset', { body })
      expect(entered).toMatchObject({ status: 200, data: { '2fa_required': true } })
    }
  })

  test('T-24 in a long session it removes everything that was added since its start', async () => {
    const user = await people.owner()
    clock.add(60_000)
    await db.asOwnerOfJobs(
      `insert into identities (id, user_id, provider, issuer, subject, created_at, last_used_at)
       values (gen_random_uuid(), $1, 'google', 'https://issuer.example', $2, $3, $3)`,
      [user.id, user.email, clock.now()],
    )
    for (let n = 0; n < 3; n++) {
      clock.add(6 * 86_400_000)
      await call('GET', '/api/auth', { token: user.token })
    }
    await ask(user.token, freshEmail('new'), { password })
    expect((await undo(await notice(user.email))).status).toBe(200)
    const { rows } = await db.asOwnerOfJobs('select 1 from identities where user_id = $1', [user.id])
    expect(rows).toEqual([])
  })

  test('before the confirmation: the new address can no longer confirm', async () => {
    const user = await people.owner()
    const email = freshEmail('new')
    await ask(user.token, email)
    const secret = await confirmation(email)
    expect((await undo(await notice(user.email))).status).toBe(200)
    const { rows } = await db.asOwnerOfJobs('select id from sessions where user_id = $1', [user.id])
    expect(rows).toEqual([])
    expect((await confirm(user.token, secret)).status).toBe(401)
    expect(await rowOf(user.id)).toMatchObject({ email: user.email })
  })

  test('it undoes a later change as well, whose own undo link then expires', async () => {
    const user = await changed()
    const third = freshEmail('third')
    await ask(user.token, third)
    const theirs = await notice(user.email)
    const last = await confirm(user.token, await confirmation(third))
    expect(last.status).toBe(200)
    expect((await undo(user.undo_secret)).status).toBe(200)
    expect(await rowOf(user.id)).toMatchObject({ email: user.old })
    expect((await undo(theirs)).status).toBe(422)
    expect((await call('GET', '/api/user', { token: last.data.token })).status).toBe(401)
  })

  test('works for a week; of 50 parallel calls one succeeds', async () => {
    const user = await changed()
    const secret = user.undo_secret
    const answers = await Promise.all(Array.from({ length: 50 }, () => undo(secret)))
    expect(answers.map(({ status }) => status).filter(status => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const late = await changed()
    clock.add(7 * 86_400_000 + 1)
    expect((await undo(late.undo_secret)).status).toBe(422)
  })
})
