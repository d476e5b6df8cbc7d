import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'
import { linkHelpers } from '../../../../test/sign-in/magic-and-reset-links.ts'

const app = await makeTestApp()
const { call, people, clock, db } = app
const { link, reset, isSignedIn, signIn, insertTwoFactor, redeem } = linkHelpers(app)
const fresh = 'quite-another-word-7'
const hashOf = async (id: string) =>
  (await db.asOwnerOfJobs('select password_hash from users where id = $1', [id])).rows[0]

describe('a reset', () => {
  test('sets the password and signs in [call:POST /api/auth/password/reset/request] [call:POST /api/auth/password/reset]', async () => {
    const user = await people.owner()
    const { token, mail } = await link('reset', user.email)
    expect(mail.subject).toBe('Choose a new password')
    const answer = await reset(token, fresh, { email: user.email, confirm_password: fresh })
    expect(answer).toMatchObject({ status: 200, data: { id: user.id }, body: { message: /changed/ } })
    expect((await signIn(user.email, password)).status).toBe(422)
    expect((await signIn(user.email, fresh)).status).toBe(200)
    expect((await reset(token, 'and-yet-another-8')).body.code).toBe('link_expired')
  })

  test('ends every session, link and second step; the new session stays [T-19]', async () => {
    const user = await people.owner()
    const others = [await signIn(user.email, password), await signIn(user.email, password)]
    const magic = await link('magic', user.email)
    const { token } = await link('reset', user.email, magic.mail.id)
    await insertTwoFactor(user)
    const challenge = await signIn(user.email, password)
    expect(challenge.data['2fa_required']).toBe(true)
    await db.asOwnerOfJobs('delete from two_factors where user_id = $1', [user.id])
    const { data } = await reset(token, fresh)
    const tokens = [user.token, ...others.map(other => other.data.token)]
    expect(await Promise.all(tokens.map(isSignedIn))).toEqual([false, false, false])
    expect(await isSignedIn(data.token)).toBe(true)
    expect((await redeem(magic.token)).body.code).toBe('link_expired')
    const { rows } = await db.asOwnerOfJobs('select 1 from challenges where user_id = $1', [user.id])
    expect(rows).toEqual([])
  })

  test('asks for the second factor before it opens a session [T-17] [V6.4.3]', async () => {
    const user = await people.owner()
    await insertTwoFactor(user)
    const { token } = await link('reset', user.email)
    const { status, data } = await reset(token, fresh)
    expect([status, data]).toEqual([200, { token: expect.any(String), '2fa_required': true }])
    expect(await isSignedIn(data.token)).toBe(false)
    expect(await isSignedIn(user.token)).toBe(false)
  })

  test('is mailed to the user and recorded [T-88]', async () => {
    const user = await people.owner()
    const { token, mail } = await link('reset', user.email)
    await reset(token, fresh)
    const told = await people.mailTo(user.email, mail.id)
    expect(told.subject).toBe('Your password was changed')
    const { rows } = await db.asOwnerOfJobs(
      "select user_id, action from audit_log where account_id = $1 and action like 'password%'",
      [user.account_id],
    )
    expect(rows).toEqual([{ user_id: user.id, action: 'password.reset' }])
  })

  test('that sets a first password is mailed as a password added', async () => {
    const user = await people.owner()
    await db.asOwnerOfJobs('update users set password_hash = null where id = $1', [user.id])
    const { token, mail } = await link('reset', user.email)
    expect((await reset(token, fresh)).status).toBe(200)
    expect((await people.mailTo(user.email, mail.id)).subject).toBe('A password was added')
  })

  test('with another person’s address in the form is refused; both passwords stay [T-21]', async () => {
    const [user, victim] = [await people.verified(), await people.verified()]
    const before = [await hashOf(user.id), await hashOf(victim.id)]
    const { token } = await link('reset', user.email)
    const { status, body } = await reset(token, fresh, { email: victim.email })
    expect([status, body.code, body.inputError]).toEqual([422, 'link_other_address', 'email'])
    expect([await hashOf(user.id), await hashOf(victim.id)]).toEqual(before)
    expect((await reset(token, fresh, { email: user.email.toUpperCase() })).status).toBe(200)
  })

  test('a password that is refused leaves the link as it was', async () => {
    const user = await people.verified()
    const { token } = await link('reset', user.email)
    const refused = [
      await reset(token, 'short-1'),
      await reset(token, 'longenough1'),
      await reset(token, fresh, { confirm_password: 'another-one-1' }),
      await reset(token, 'Password1!'),
      await reset(token, 'okafor-2026'),
    ]
    expect(refused.map(({ body }) => [body.code, body.inputError])).toEqual([
      ['invalid_input', 'password'],
      ['invalid_input', 'password'],
      ['invalid_input', 'confirm_password'],
      ['password_common', 'password'],
      ['password_personal', 'password'],
    ])
    expect((await reset(token, fresh)).status).toBe(200)
  })

  test('works for thirty minutes', async () => {
    const user = await people.verified()
    const { token } = await link('reset', user.email)
    clock.add(30 * 60_000)
    const late = await reset(token, fresh)
    clock.add(-30 * 60_000)
    expect(late.body.code).toBe('link_expired')
  })

  test('verifies the address of an unverified user and removes the other person’s password and session [T-38]', async () => {
    const email = freshEmail('victim')
    const stranger = await people.signUp(email, 'Evil')
    const { token } = await link('reset', email)
    const { data } = await reset(token, fresh)
    expect(data).toMatchObject({ id: stranger.id, verified: true })
    expect(await isSignedIn(stranger.token)).toBe(false)
    expect((await signIn(email, password)).status).toBe(422)
  })

  test('gives a user without a password their first one', async () => {
    const user = await people.verified()
    await db.asOwnerOfJobs('update users set password_hash = null where id = $1', [user.id])
    const { token } = await link('reset', user.email)
    expect((await reset(token, fresh)).status).toBe(200)
    expect((await signIn(user.email, fresh)).status).toBe(200)
  })
})

describe('the rules for new passwords hold at every call [rule:password.complex-everywhere]', () => {
  const names = { first_name: 'Mara', last_name: 'Okafor' }

  test('sign-up and invite refuse common and personal ones at the field, in the language of the call', async () => {
    const owner = await people.owner()
    const email = freshEmail('ines')
    await call('POST', '/api/invite', { token: owner.token, body: { email, permission: 'user' } })
    const invite_id = await people.inviteSecret(email)
    await call('PATCH', '/api/user', { token: owner.token, body: { account_name: 'Granite Works' } })
    const headers = { 'accept-language': 'de' }
    const at = async (url: string, body: Record<string, unknown>) => {
      const answer = await call('POST', url, { body: { ...names, ...body }, headers })
      return [answer.status, answer.body.code, answer.body.inputError]
    }
    const signUp = { email: freshEmail() }
    expect(await at('/api/account', { ...signUp, password: 'Sommer2026!' })).toEqual([
      422,
      'password_common',
      'password',
    ])
    expect(await at('/api/account', { ...signUp, password: 'M4ra-Okafor' })).toEqual([
      422,
      'password_personal',
      'password',
    ])
    const invited = { email, invite_id, password: 'granite-1!' }
    expect(await at('/api/user', invited)).toEqual([422, 'password_personal', 'password'])
    expect((await at('/api/user', { ...invited, password: 'a-good-password-1' }))[0]).toBe(200)
    const words = await call('POST', '/api/account', {
      body: { ...names, ...signUp, password: 'Sommer2026!' },
      headers,
    })
    expect(words.body.message).toMatch(/^Dieses Passwort/)
  })

  test('a refused password does not count towards the sign-up limit of the address', async () => {
    const strict = { ...names, email: freshEmail(), password: 'Password1!' }
    for (let n = 0; n < 8; n++)
      expect((await call('POST', '/api/account', { body: strict })).status).toBe(422)
    expect((await call('POST', '/api/account', { body: { ...strict, password } })).status).toBe(200)
  })
})
