import { describe, expect, test } from 'vitest'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { makeTestApp } from '../../../../test/harness.ts'
import { passkeyHelpers } from '../../../../test/sign-in/passkeys.ts'
import { enableTwoFactor } from '../../../../test/sign-in/two-factor.ts'

const harness = await makeTestApp()
const { call, clock, db, people } = harness
const { device, userWithPasskey } = passkeyHelpers(harness)
const options = '/api/user/passkeys/proof/options'
const proof = '/api/user/passkeys/proof'
const stale = 10 * 60_000

type Keeper = Awaited<ReturnType<typeof userWithPasskey>>
type Wrong = Parameters<ReturnType<typeof device>['show']>[2]
const begin = (own: Keeper['own'], token: string) => own.call('POST', options, { token, body: {} })
const finish = (own: Keeper['own'], token: string, credential: object) =>
  own.call('POST', proof, { token, body: { credential } })
/** Proves with a passkey as a browser does it. */
async function prove({ user, own, passkey }: Keeper, wrong: Wrong = {}, token = user.token) {
  return finish(own, token, own.show((await begin(own, token)).data, passkey, wrong))
}
/** A call that wants a proof, with none in it. */
const guarded = (token: string) => call('PUT', '/api/user/2fa', { token, body: { '2fa_enabled': true } })
const forgetPassword = (id: string) =>
  db.asOwnerOfJobs('update users set password_hash = null where id = $1', [id])

describe('a passkey as proof [call:POST /api/user/passkeys/proof] [call:POST /api/user/passkeys/proof/options]', () => {
  test('a user with only passkeys confirms with one and continues in the same session [T-18]', async () => {
    const one = await userWithPasskey()
    await forgetPassword(one.user.id)
    clock.add(stale)
    const asked = await guarded(one.user.token)
    expect([asked.status, asked.body]).toEqual([
      403,
      {
        code: 'proof_required',
        passkey: true,
        message:
          'It’s been a while since you signed in. Use your passkey to continue, or sign out and in again.',
      },
    ])
    expect((await prove(one)).body).toEqual({ data: {} })
    expect((await guarded(one.user.token)).status).toBe(200)
    clock.add(stale)
    expect((await guarded(one.user.token)).body.code).toBe('proof_required')
  })

  test('the same call succeeds after it with the same Idempotency-Key [T-18]', async () => {
    const one = await userWithPasskey()
    clock.add(stale)
    const make = () =>
      call('POST', '/api/key', {
        token: one.user.token,
        headers: { 'idempotency-key': 'the-same-for-both' },
        body: { name: 'Warehouse', scope: ['event.create'] },
      })
    expect((await make()).body.code).toBe('proof_required')
    expect((await prove(one)).status).toBe(200)
    expect((await make()).status).toBe(200)
  })

  test('is offered to users with a passkey, together with password and code', async () => {
    const one = await userWithPasskey()
    const none = await people.owner()
    const coded = await userWithPasskey()
    const { token } = await enableTwoFactor(harness, coded.user)
    await forgetPassword(coded.user.id)
    clock.add(stale)
    expect((await guarded(one.user.token)).body).toMatchObject({ inputError: 'password', passkey: true })
    expect((await guarded(token)).body).toMatchObject({ inputError: 'code', passkey: true })
    expect((await guarded(none.token)).body).not.toHaveProperty('passkey')
    expect((await call('POST', options, { token: none.token, body: {} })).body.code).toBe('passkey_unknown')
  })

  test('says which passkeys may answer: one’s own', async () => {
    const { user, own, passkey } = await userWithPasskey()
    const { data } = await begin(own, user.token)
    expect(data).toEqual({
      rpId: 'localhost',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [{ id: passkey.id, type: 'public-key', transports: ['internal', 'hybrid'] }],
    })
  })

  test('a signature works once, for five minutes, in the session and browser that requested it [T-13]', async () => {
    const { user, own, passkey } = await userWithPasskey()
    const again = (await own.signIn(passkey)).data.token
    const asked = (await begin(own, user.token)).data
    const credential = own.show(asked, passkey)
    expect((await finish(own, again, credential)).body.code).toBe('passkey_expired')
    expect((await finish(device(), user.token, credential)).body.code).toBe('passkey_expired')
    expect((await own.finishSignIn(credential)).body.code).toBe('passkey_expired')
    expect((await finish(own, user.token, credential)).status).toBe(200)
    expect((await finish(own, user.token, credential)).body.code).toBe('passkey_expired')
    const late = own.show((await begin(own, user.token)).data, passkey)
    clock.add(5 * 60_000)
    expect((await finish(own, user.token, late)).body.code).toBe('passkey_expired')
    const signIn = own.show(await own.beginSignIn(), passkey)
    expect((await finish(own, user.token, signIn)).body.code).toBe('passkey_expired')
    const many = own.show((await begin(own, user.token)).data, passkey)
    const answers = await Promise.all(Array.from({ length: 50 }, () => finish(own, user.token, many)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test.each<[string, Wrong, string]>([
    ['another origin', { origin: 'https://evil.example' }, 'passkey_refused'],
    ['a user who was not verified', { flags: 1 }, 'passkey_unverified'],
    ['a signature that is none', { signature: 'AAAA' }, 'passkey_refused'],
  ])('is none with %s, and the session stays as it is', async (_, wrong, code) => {
    const one = await userWithPasskey()
    clock.add(stale)
    const refused = await prove(one, wrong)
    expect([refused.status, refused.body.code]).toEqual([422, code])
    expect((await guarded(one.user.token)).body.code).toBe('proof_required')
  })

  test('another person’s passkey proves nothing, nor does a copied one [T-18]', async () => {
    const [one, other] = [await userWithPasskey(), await userWithPasskey()]
    clock.add(stale)
    const asked = (await begin(one.own, one.user.token)).data
    const foreign = await finish(one.own, one.user.token, one.own.show(asked, other.passkey))
    expect(foreign.body.code).toBe('passkey_unknown')
    expect((await guarded(one.user.token)).body.code).toBe('proof_required')
    const counting = await userWithPasskey({ counts: true })
    expect((await prove(counting)).status).toBe(200)
    clock.add(stale)
    expect((await prove(counting, { counter: 1 })).body.code).toBe('passkey_refused')
    expect((await guarded(counting.user.token)).body.code).toBe('proof_required')
    await expectMail(harness, counting.user.email, /passkey/i)
  })

  test('refuses a visitor, an unverified user and an invalid credential', async () => {
    const { user } = await userWithPasskey()
    for (const path of [options, proof]) {
      expect((await call('POST', path, { body: {} })).status).toBe(401)
      const unproven = await people.signUp()
      expect((await call('POST', path, { token: unproven.token, body: {} })).body.code).toBe(
        'verification_required',
      )
    }
    const refused = await call('POST', proof, { token: user.token, body: { credential: { id: 'x' } } })
    expect(refused.status).toBe(422)
  })
})
