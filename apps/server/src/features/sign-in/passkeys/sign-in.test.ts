import { describe, expect, test } from 'vitest'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { passkeyHelpers } from '../../../../test/sign-in/passkeys.ts'
import { enableTwoFactor } from '../../../../test/sign-in/two-factor.ts'
import type { openDevice } from '../../../../test/sign-in/webauthn-authenticator.ts'

const harness = await makeTestApp()
const { clock, db, people } = harness
const { auditOf, device, userWithPasskey, listOf } = passkeyHelpers(harness)
const system = db.asOwnerOfJobs

describe('signing in with a passkey [call:POST /api/auth/passkey] [call:POST /api/auth/passkey/options]', () => {
  test('opens a session that counts as both factors, and says when it was used', async () => {
    const { user, own, passkey } = await userWithPasskey()
    const answer = await own.signIn(passkey)
    expect(answer).toMatchObject({ status: 200, data: { id: user.id, account_id: user.account_id } })
    const { token } = answer.data
    const { rows } = await system(
      "select method, second_factor from sessions where user_id = $1 and method = 'passkey'",
      [user.id],
    )
    expect(rows).toEqual([{ method: 'passkey', second_factor: true }])
    const [listed] = await listOf(token)
    expect(Math.abs(new Date(listed.last_used_at).getTime() - clock.now().getTime())).toBeLessThan(60_000)
  })

  test('never asks for a code when the second factor is on', async () => {
    const { user, own, passkey } = await userWithPasskey()
    await enableTwoFactor(harness, user)
    expect((await own.signIn(passkey)).data).toMatchObject({ id: user.id })
  })

  test('the options are the same for all callers and name no user', async () => {
    const asked = await device().beginSignIn()
    expect({ ...asked, challenge: '' }).toEqual({
      rpId: 'localhost',
      challenge: '',
      timeout: 300_000,
      userVerification: 'required',
    })
  })

  test.each<[string, Parameters<ReturnType<typeof openDevice>['show']>[2], string]>([
    ['another origin', { origin: 'https://localhost:5000' }, 'passkey_refused'],
    ['another site', { rpId: 'localhost.example' }, 'passkey_refused'],
    ['a challenge of nobody', { challenge: 'bm9uc2Vuc2U' }, 'passkey_expired'],
    ['the answer to a registration', { type: 'webauthn.create' }, 'passkey_refused'],
    ['a frame of another site', { crossOrigin: true, topOrigin: 'https://evil.example' }, 'passkey_refused'],
    ['a frame of another site that is not named', { crossOrigin: true }, 'passkey_refused'],
    ['another site around it', { topOrigin: 'https://evil.example' }, 'passkey_refused'],
    ['nobody there', { flags: 0 }, 'passkey_refused'],
    ['a user who was not verified', { flags: 1 }, 'passkey_unverified'],
    ['the handle of somebody else', { handle: Buffer.alloc(32, 7).toString('base64url') }, 'passkey_refused'],
    ['a signature that is none', { signature: 'AAAA' }, 'passkey_refused'],
  ])('is refused with %s', async (_, wrong, code) => {
    const { own, passkey } = await userWithPasskey()
    const refused = await own.signIn(passkey, wrong)
    expect(refused.status).toBe(422)
    expect(refused.body.code).toBe(code)
    expect(refused.headers['set-cookie']).toBeUndefined()
    expect((await own.signIn(passkey)).status).toBe(200)
  })

  test('another user’s key and another user’s credential sign in nobody', async () => {
    const [one, two] = [await userWithPasskey(), await userWithPasskey()]
    expect((await one.own.signIn(one.passkey, { key: two.passkey })).body.code).toBe('passkey_refused')
    const mixed = { ...one.passkey, id: two.passkey.id }
    expect((await one.own.signIn(mixed)).body.code).toBe('passkey_refused')
    const unknown = { ...one.passkey, id: Buffer.alloc(16, 3).toString('base64url') }
    expect((await one.own.signIn(unknown)).body.code).toBe('passkey_unknown')
  })

  test('T-05 a passkey shown in one browser signs in no other', async () => {
    const { own, passkey } = await userWithPasskey()
    const victim = device()
    await victim.beginSignIn()
    const credential = own.show(await own.beginSignIn(), passkey)
    expect((await victim.finishSignIn(credential)).body.code).toBe('passkey_expired')
    expect((await device().finishSignIn(credential)).body.code).toBe('passkey_expired')
    expect((await own.finishSignIn(credential)).status).toBe(200)
  })

  test('T-13 a signature works once, of fifty at once too, and five minutes', async () => {
    const { user, own, passkey } = await userWithPasskey()
    const credential = own.show(await own.beginSignIn(), passkey)
    const answers = await Promise.all(Array.from({ length: 50 }, () => own.finishSignIn(credential)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(['passkey_expired']),
    )
    const late = own.show(await own.beginSignIn(), passkey)
    clock.add(5 * 60_000)
    expect((await own.finishSignIn(late)).body.code).toBe('passkey_expired')
    const adding = await own.begin(user.token, { password })
    const taken = own.show({ challenge: adding.data.challenge, rpId: 'localhost' }, passkey)
    expect((await own.finishSignIn(taken)).body.code).toBe('passkey_expired')
  })

  test('a used up challenge stays used up when its answer was wrong', async () => {
    const { own, passkey } = await userWithPasskey()
    const asked = await own.beginSignIn()
    expect((await own.finishSignIn(own.show(asked, passkey, { flags: 1 }))).status).toBe(422)
    expect((await own.finishSignIn(own.show(asked, passkey))).body.code).toBe('passkey_expired')
  })

  test('a counter that does not grow shows a copy: its owner gets a mail and the original still works', async () => {
    const { user, own, passkey } = await userWithPasskey({ counts: true })
    const copy = { ...passkey }
    expect((await own.signIn(passkey)).status).toBe(200)
    expect((await own.signIn(copy)).body.code).toBe('passkey_refused')
    expect(await auditOf(user.account_id, 'passkey.copied')).toHaveLength(1)
    await expectMail(harness, user.email, 'One of your passkeys may have been copied')
    expect((await own.signIn(passkey, { counter: 0 })).body.code).toBe('passkey_refused')
    expect((await own.signIn(passkey)).status).toBe(200)
  })

  test('of fifty signatures with the same counter one signs in', async () => {
    const { own, passkey } = await userWithPasskey({ counts: true })
    const copies = Array.from({ length: 50 }, () => ({ ...passkey }))
    const asked = await Promise.all(copies.map(() => own.beginSignIn()))
    const answers = await Promise.all(copies.map((copy, at) => own.finishSignIn(own.show(asked[at], copy))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a passkey without a counter signs in repeatedly', async () => {
    const { own, passkey } = await userWithPasskey()
    for (let n = 0; n < 3; n++) expect((await own.signIn(passkey)).status).toBe(200)
  })

  test('an account that enforces single sign-on refuses passkeys', async () => {
    const { user, own, passkey } = await userWithPasskey()
    const spare = await people.member(user, 'owner')
    await system(
      `insert into sso_connections (id, account_id, idp_entity_id, sso_url, certificates, certificate_expires_at,
         tested_at, enabled_at, enforced_at, created_at)
       values (gen_random_uuid(), $1, 'https://idp.example', 'https://idp.example/sso', '[]', now() + interval '1 year',
         now(), now(), now(), now())`,
      [user.account_id],
    )
    await system('insert into sso_break_glass (account_id, user_id) values ($1, $2)', [
      user.account_id,
      spare.id,
    ])
    expect((await own.signIn(passkey)).body.code).toBe('sso_required')
  })

  test('bad input is refused at its field', async () => {
    for (const bad of [{}, { id: 'a' }, 'text'])
      expect((await device().finishSignIn(bad as object)).body.inputError).toBe('credential') // as: what no browser sends
  })
})
