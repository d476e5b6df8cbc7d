import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { passkeyHelpers } from '../../../../test/sign-in/passkeys.ts'
import { coseKey, type openDevice } from '../../../../test/sign-in/webauthn-authenticator.ts'
import { maxPasskeys } from './rules.ts'

const harness = await makeTestApp()
const { call, clock, db, people } = harness
const { auditOf, device, userWithPasskey, listOf } = passkeyHelpers(harness)
const system = db.asOwnerOfJobs

const bytes = (text = '') => Buffer.from(text, 'base64url')
/** COSE keys of our three algorithms; `wrong` replaces parts by their labels. */
function ec(wrong: Record<number, number | Buffer> = {}) {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  return coseKey({ 1: 2, 3: -7, [-1]: 1, [-2]: bytes(x), [-3]: bytes(y), ...wrong })
}
const okp = (curve: number, size: number) =>
  coseKey({ 1: 1, 3: -8, [-1]: curve, [-2]: Buffer.alloc(size, 9) })
function rsa(modulusLength: number) {
  const { n, e } = generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' })
  return coseKey({ 1: 3, 3: -257, [-1]: bytes(n), [-2]: bytes(e) })
}
const rsaKey = rsa(2048)

describe('adding a passkey [call:POST /api/user/passkeys] [call:POST /api/user/passkeys/options]', () => {
  test('asks for a discoverable passkey with user verification and discloses nothing about the user', async () => {
    const user = await people.verified()
    const { data, status } = await device().begin(user.token)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(data.user).toMatchObject({ name: user.email, displayName: 'Mara Okafor' })
    expect(Buffer.from(data.user.id, 'base64url')).toHaveLength(32)
    expect(Buffer.from(data.challenge, 'base64url')).toHaveLength(32)
    const again = await device().begin(user.token)
    expect(again.data.user.id).toBe(data.user.id)
    expect(again.data.challenge).not.toBe(data.challenge)
  })

  test('a new passkey is listed, mailed to its owner and audited, and can’t be registered twice [T-88]', async () => {
    const { user, own, passkey, row } = await userWithPasskey()
    expect(row).toMatchObject({ name: 'Passkey', synced: true, last_used_at: null })
    expect(await listOf(user.token)).toEqual([row])
    expect(await auditOf(user.account_id, 'passkey.added')).toEqual([
      { user_id: user.id, target: row.id, metadata: { name: 'Passkey' } },
    ])
    await expectMail(harness, user.email, 'A passkey was added to your sign-in')
    const { data } = await own.begin(user.token)
    expect(data.excludeCredentials).toEqual([
      { id: passkey.id, type: 'public-key', transports: ['internal', 'hybrid'] },
    ])
  })

  test('is named by its owner, else by the authenticator, else by the device', async () => {
    const user = await people.owner()
    const own = device()
    const addedAs = async (aaguid: string, agent: string, more = {}) => {
      const { credential } = own.make((await own.begin(user.token)).data, {}, Buffer.from(aaguid, 'hex'))
      const body = { credential, ...more }
      const headers = { 'user-agent': agent }
      return (await own.call('POST', '/api/user/passkeys', { token: user.token, body, headers })).data.name
    }
    const nobody = '00'.repeat(16)
    const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15'
    expect(await addedAs('bada5566a7aa401fbd9645619a55120d', mac)).toBe('1Password')
    expect(await addedAs(nobody, mac)).toBe('Mac')
    expect(await addedAs(nobody, 'curl')).toBe('Passkey')
    expect(await addedAs(nobody, mac, { name: '  The blue laptop ' })).toBe('The blue laptop')
  })

  test('needs a proof when the sign-in is not recent', async () => {
    const user = await people.owner()
    clock.add(11 * 60_000)
    expect((await device().begin(user.token)).body).toMatchObject({
      code: 'proof_required',
      inputError: 'password',
    })
    expect((await device().begin(user.token, { password: 'not-this-one-1' })).body.code).toBe(
      'password_wrong',
    )
    expect((await device().begin(user.token, { password })).status).toBe(200)
  })

  test('T-38 requires a verified user', async () => {
    const user = await people.signUp()
    expect((await device().begin(user.token)).body.code).toBe('verification_required')
    expect((await device().finish(user.token, {})).body.code).toBe('verification_required')
    expect((await call('GET', '/api/user/passkeys', { token: user.token })).status).toBe(403)
    expect((await device().begin('no-token')).status).toBe(401)
  })

  test('T-38 a passkey of a user who is not verified any more can’t sign in and is deleted with the user', async () => {
    const { user, own, passkey } = await userWithPasskey()
    await system('update users set verified_at = null where id = $1', [user.id])
    expect((await own.signIn(passkey)).body.code).toBe('passkey_unknown')
    await system('delete from accounts where id = $1', [user.account_id])
    await system('delete from users where id = $1', [user.id])
    const { rows } = await system('select count(*)::int as n from passkey_handles where handle = $1', [
      Buffer.from(passkey.handle, 'base64url'),
    ])
    expect(rows).toEqual([{ n: 0 }])
  })

  test('one above the maximum is refused, also in parallel calls', async () => {
    const user = await people.owner()
    const own = device()
    // First one alone: from then on the browser has its cookie.
    const begun = [await own.begin(user.token)]
    begun.push(...(await Promise.all(Array.from({ length: maxPasskeys + 4 }, () => own.begin(user.token)))))
    const answers = await Promise.all(
      begun.map(({ data }) => own.finish(user.token, own.make(data).credential)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(maxPasskeys)
    expect((await own.begin(user.token)).body).toMatchObject({
      code: 'passkeys_full',
      message: 'You have 20 passkeys, which is the maximum. Remove one first.',
    })
  })

  test.each<[string, Parameters<ReturnType<typeof openDevice>['make']>[1], string]>([
    ['another origin', { origin: 'http://localhost:5001' }, 'passkey_refused'],
    ['an origin that begins alike', { origin: 'http://localhost:5000.example.com' }, 'passkey_refused'],
    ['another site', { rpId: 'example.com' }, 'passkey_refused'],
    ['a challenge of nobody', { challenge: 'bm9uc2Vuc2U' }, 'passkey_expired'],
    ['the answer to a sign-in', { type: 'webauthn.get' }, 'passkey_refused'],
    ['nobody there', { flags: 64 }, 'passkey_refused'],
    ['a user who was not verified', { flags: 1 | 64 }, 'passkey_unverified'],
    [
      'a statement where there is none',
      { statement: Buffer.from([0xa1, 0x61, 0x61, 0x01]) },
      'passkey_refused',
    ],
    ['a frame of another site', { crossOrigin: true, topOrigin: 'https://evil.example' }, 'passkey_refused'],
    ['a frame of another site that is not named', { crossOrigin: true }, 'passkey_refused'],
    ['another site around it', { topOrigin: 'https://evil.example' }, 'passkey_refused'],
    ['an attestation cut short by one byte', { cut: { attestation: 1 } }, 'passkey_refused'],
    ['an attestation cut short by half a key', { cut: { attestation: 40 } }, 'passkey_refused'],
    ['data cut short by one byte', { cut: { data: 1 } }, 'passkey_refused'],
    ['an exponent cut short', { cose: rsaKey, cut: { data: 1 } }, 'passkey_refused'],
    ['an exponent cut short outside', { cose: rsaKey, cut: { attestation: 1 } }, 'passkey_refused'],
    ['no id', { id: '' }, 'passkey_refused'],
    ['an id of 1024 bytes', { id: Buffer.alloc(1024, 1).toString('base64url') }, 'passkey_refused'],
    ['a point that is not on its curve', { cose: ec({ [-2]: Buffer.alloc(32, 5) }) }, 'passkey_refused'],
    ['ES256 on another curve', { cose: ec({ [-1]: 2 }) }, 'passkey_refused'],
    ['ES256 by a key of another type', { cose: ec({ 1: 3 }) }, 'passkey_refused'],
    ['EdDSA on another curve', { cose: okp(7, 57) }, 'passkey_refused'],
    ['EdDSA with half a key', { cose: okp(6, 16) }, 'passkey_refused'],
    ['RSA of 1024 bits', { cose: rsa(1024) }, 'passkey_refused'],
    ['an algorithm that was not asked for', { cose: ec({ 3: -35 }) }, 'passkey_refused'],
    ['a format that fetches certificates', { fmt: 'android-key' }, 'passkey_refused'],
    ['a format of nobody', { fmt: 'own' }, 'passkey_refused'],
  ])('is refused with %s', async (_, wrong, code) => {
    const user = await people.verified()
    const own = device()
    const { credential } = own.make((await own.begin(user.token)).data, wrong)
    expect((await own.finish(user.token, credential)).body.code).toBe(code)
    expect(await listOf(user.token)).toEqual([])
  })

  test.each([
    ['ES256', ec()],
    ['EdDSA', okp(6, 32)],
    ['RS256', rsaKey],
  ])('is taken with a key for %s, and with an id of 1023 bytes', async (_, cose) => {
    const user = await people.verified()
    const own = device()
    for (const id of [undefined, randomBytes(1023).toString('base64url')]) {
      const { credential } = own.make((await own.begin(user.token)).data, { cose, id })
      expect((await own.finish(user.token, credential)).status).toBe(200)
    }
  })

  test('T-05 T-13 a challenge works once, for one user and browser, for five minutes', async () => {
    const [user, other] = [await people.verified(), await people.verified()]
    const own = device()
    const credential = async () => own.make((await own.begin(user.token)).data).credential
    expect((await device().finish(user.token, await credential())).body.code).toBe('passkey_expired')
    expect((await own.finish(other.token, await credential())).body.code).toBe('passkey_expired')
    const asked = await own.beginSignIn()
    const { credential: from } = own.make({ ...asked, rp: { id: asked.rpId }, user: { id: 'AAAA' } })
    expect((await own.finish(user.token, from)).body.code).toBe('passkey_expired')
    const late = await credential()
    clock.add(5 * 60_000)
    expect((await own.finish(user.token, late)).body.code).toBe('passkey_expired')
    const once = await credential()
    const answers = await Promise.all(Array.from({ length: 50 }, () => own.finish(user.token, once)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(['passkey_expired']),
    )
    expect(await listOf(user.token)).toHaveLength(1)
  })

  test('a credential of one user is not added for another', async () => {
    const { own, passkey } = await userWithPasskey()
    const other = await people.verified()
    const { data } = await own.begin(other.token)
    const { credential } = own.make(data, { id: passkey.id })
    expect((await own.finish(other.token, credential)).body.code).toBe('passkey_taken')
    expect(await listOf(other.token)).toEqual([])
  })

  test('bad input is refused at its field', async () => {
    const user = await people.verified()
    const { credential } = device().make((await device().begin(user.token)).data)
    for (const bad of [{}, { ...credential, id: 'not base64' }, { ...credential, response: {} }, null])
      expect((await device().finish(user.token, bad as object)).body).toMatchObject({
        code: 'invalid_input',
        inputError: 'credential',
      }) // as: what no browser sends
    expect((await device().finish(user.token, credential, { name: '\u0000' })).body.inputError).toBe('name')
  })
})

describe('names and removal [call:PATCH /api/user/passkeys/{id}] [call:DELETE /api/user/passkeys/{id}] [call:GET /api/user/passkeys]', () => {
  const at = ({ id }: { id: string }) => `/api/user/passkeys/${id}`

  test('renames a passkey; another user’s passkey returns 404', async () => {
    const { user, row } = await userWithPasskey()
    const stranger = await people.owner()
    const answer = await call('PATCH', at(row), { token: user.token, body: { name: 'Old phone' } })
    expect(answer.data).toEqual({ ...row, name: 'Old phone' })
    expect((await call('PATCH', at(row), { token: user.token, body: { name: ' ' } })).body.inputError).toBe(
      'name',
    )
    const body = { name: 'Mine now' }
    expect((await call('PATCH', at(row), { token: stranger.token, body })).status).toBe(404)
    expect((await call('DELETE', at(row), { token: stranger.token })).status).toBe(404)
    expect(await listOf(user.token)).toEqual([{ ...row, name: 'Old phone' }])
    expect(await listOf(stranger.token)).toEqual([])
  })

  test('removing one ends the sessions it opened and mails its owner [T-19] [T-88]', async () => {
    const { user, own, passkey, row } = await userWithPasskey()
    const { data: other } = await own.signIn(passkey)
    expect((await call('DELETE', at(row), { token: user.token })).status).toBe(200)
    expect(await listOf(user.token)).toEqual([])
    expect((await own.signIn(passkey)).body.code).toBe('passkey_unknown')
    expect((await call('GET', '/api/auth', { token: other.token })).data.authenticated).toBe(false)
    expect(await auditOf(user.account_id, 'passkey.removed')).toHaveLength(1)
    await expectMail(harness, user.email, 'A passkey was removed from your sign-in')
    expect((await call('DELETE', at(row), { token: user.token })).status).toBe(404)
  })

  test('removing one during sign-ins causes no error and leaves no session', async () => {
    const { user, own, passkey, row } = await userWithPasskey()
    const asked = await Promise.all(Array.from({ length: 50 }, () => own.beginSignIn()))
    const [removed, ...answers] = await Promise.all([
      call('DELETE', at(row), { token: user.token }),
      ...asked.map(one => own.finishSignIn(own.show(one, passkey))),
    ])
    expect(removed.status).toBe(200)
    for (const { status, body, data } of answers)
      if (status !== 200) expect(body.code).toBe('passkey_unknown')
      else expect((await call('GET', '/api/auth', { token: data.token })).data.authenticated).toBe(false)
    expect((await own.signIn(passkey)).body.code).toBe('passkey_unknown')
  })

  test('needs a proof when the sign-in is older than ten minutes; a refused one ends nothing', async () => {
    const { user, row } = await userWithPasskey()
    const { token } = (await call('POST', '/api/auth', { body: { email: user.email, password } })).data
    clock.add(11 * 60_000)
    expect((await call('DELETE', at(row), { token: user.token })).body.code).toBe('proof_required')
    expect((await call('GET', '/api/auth', { token })).data.authenticated).toBe(true)
    const answer = await call('DELETE', at(row), { token: user.token, body: { password } })
    expect(answer.status).toBe(200)
  })

  test('the last sign-in method stays, also when two are removed in parallel', async () => {
    const { user, own, row } = await userWithPasskey()
    const second = await own.register(user.token)
    await system('update users set password_hash = null where id = $1', [user.id])
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        call('DELETE', at(n % 2 ? second.row : row), { token: user.token }),
      ),
    )
    const outcomes = answers.map(({ body }) => body.code ?? 'removed')
    expect(outcomes.filter(code => code === 'removed')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['removed', 'not_found', 'last_way_in']))
    const [left] = await listOf(user.token)
    await system(
      `insert into identities (id, user_id, provider, issuer, subject, created_at, last_used_at)
       values (gen_random_uuid(), $1, 'google', 'https://issuer.example', $2, now(), now())`,
      [user.id, user.id],
    )
    expect((await call('DELETE', at(left), { token: user.token })).status).toBe(200)
  })
})
