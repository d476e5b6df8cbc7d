import encodeQR from 'qr'
import { describe, expect, test } from 'vitest'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { enableTwoFactor, totpCode, wrongTotpCode } from '../../../../test/sign-in/two-factor.ts'

const server = await makeTestApp()
const { call, people, clock, db } = server
const minute = 60_000

const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows
const row = (id: string) => rows('select * from two_factors where user_id = $1', [id]).then(([one]) => one)
const signIn = (email: string) => call('POST', '/api/auth', { body: { email, password } })
const alive = async (token: string) => (await call('GET', '/api/auth', { token })).data.authenticated
const put = (token: string, body: Record<string, unknown>) => call('PUT', '/api/user/2fa', { token, body })
const verify = (token: string, code: string) =>
  call('POST', '/api/user/2fa/verify', { token, body: { code } })
async function deeds(id: string) {
  const log = "select action from audit_log where user_id = $1 and action like 'two_factor.%' order by id"
  return (await rows(log, [id])) as { action: string }[] // as: the column asked for
}

test('[call:GET /api/user/2fa] says whether it is on, since when, and whether the backup code is there', async () => {
  const [user, other] = [await people.owner(), await people.owner()]
  const read = (token?: string) => call('GET', '/api/user/2fa', { token })
  const off = { '2fa_enabled': false, enabled_at: null, has_backup_code: false }
  expect((await read(user.token)).data).toEqual(off)
  const before = clock.now().getTime()
  const { token } = await enableTwoFactor(server, user)
  const on = (await read(token)).data
  expect(on).toEqual({ '2fa_enabled': true, enabled_at: expect.any(String), has_backup_code: true })
  expect(Date.parse(on.enabled_at)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(on.enabled_at)).toBeLessThanOrEqual(clock.now().getTime())
  expect((await read(other.token)).data).toEqual(off)
  expect((await read()).status).toBe(401)
})

describe('turning it on [call:PUT /api/user/2fa] [call:POST /api/user/2fa/verify]', () => {
  test('answers a secret as image and text, which counts once a code of it is verified [entity:2fa-response] [state:2fa.on]', async () => {
    const user = await people.owner()
    const begun = await put(user.token, { '2fa_enabled': true })
    expect(begun.data).toEqual({
      '2fa_enabled': false,
      qr_code: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
    })
    const { qr_code, secret } = begun.data
    const uri = `otpauth://totp/Plinth:${encodeURIComponent(user.email)}?issuer=Plinth&secret=${secret}&algorithm=SHA1&digits=6&period=30`
    expect(Buffer.from(qr_code.split(',')[1], 'base64').toString()).toBe(
      encodeQR(uri, 'svg', { ecc: 'low', border: 2 }),
    )
    expect((await call('GET', '/api/user', { token: user.token })).data['2fa_enabled']).toBe(false)
    expect((await signIn(user.email)).data).not.toHaveProperty('2fa_required')

    const proven = await verify(user.token, totpCode(secret, clock.now()))
    expect(proven.data).toEqual({
      backup_code: expect.stringMatching(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/),
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    const { token } = proven.data
    expect((await call('GET', '/api/user', { token })).data['2fa_enabled']).toBe(true)
    expect((await call('GET', '/api/user/2fa', { token })).data).toEqual({
      '2fa_enabled': true,
      enabled_at: expect.any(String),
      has_backup_code: true,
    })
    expect(await deeds(user.id)).toEqual([{ action: 'two_factor.enabled' }])
    await expectMail(server, user.email, 'Two-factor sign-in is on')
  })

  test('[T-19] [V7.4.3] [V7.2.4] every other session ends, and the token of this one is replaced', async () => {
    const user = await people.owner()
    const others = await Promise.all([signIn(user.email), signIn(user.email)])
    const { token } = await enableTwoFactor(server, user)
    for (const old of [user.token, ...others.map(({ data }) => data.token)])
      expect(await alive(old)).toBe(false)
    expect(await alive(token)).toBe(true)
    expect(await rows('select second_factor from sessions where user_id = $1', [user.id])).toEqual([
      { second_factor: true },
    ])
  })

  test('T-15 ten wrong codes, also in parallel, delete the new secret; the current one stays', async () => {
    const user = await enableTwoFactor(server, await people.owner())
    const { secret } = (await put(user.token, { '2fa_enabled': true })).data
    const wrong = () => verify(user.token, wrongTotpCode(secret, clock.now()))
    const answers = await Promise.all(Array.from({ length: 50 }, wrong))
    const codes = answers.map(({ body }) => body.code)
    expect(codes.filter(code => code === 'code_wrong')).toHaveLength(9)
    for (const code of codes) expect(['code_wrong', 'two_factor_not_begun', 'busy']).toContain(code)
    expect((await verify(user.token, totpCode(secret, clock.now()))).body.code).toBe('two_factor_not_begun')
    expect(await alive(user.token)).toBe(true)
    const { data } = await signIn(user.email)
    const opened = await call('POST', '/api/auth/otp', { body: { jwt: data.token, code: user.next() } })
    expect(opened.status, opened.text).toBe(200)
    const again = (await put(user.token, { '2fa_enabled': true })).data.secret
    expect((await verify(user.token, totpCode(again, clock.now()))).status).toBe(200)
  })

  test('a wrong code changes nothing, not even the other sessions', async () => {
    const user = await people.owner()
    const other = (await signIn(user.email)).data.token
    const { secret } = (await put(user.token, { '2fa_enabled': true })).data
    for (const code of [
      wrongTotpCode(secret, clock.now()),
      '12345',
      'abc',
      totpCode(secret, clock.now(), -2),
    ]) {
      expect(await verify(user.token, code)).toMatchObject({
        status: 422,
        body: { code: 'code_wrong', inputError: 'code' },
      })
    }
    expect(await alive(other)).toBe(true)
    expect(
      (await verify(user.token, ` ${totpCode(secret, clock.now()).replace(/(...)/, '$1 ')}`)).status,
    ).toBe(200)
  })

  test('refused when no set-up was started, it has expired, or it is verified already', async () => {
    const user = await people.owner()
    const refused = { status: 409, body: { code: 'two_factor_not_begun' } }
    expect(await verify(user.token, '123456')).toMatchObject(refused)
    const { secret } = (await put(user.token, { '2fa_enabled': true })).data
    clock.add(61 * minute)
    expect(await verify(user.token, totpCode(secret, clock.now()))).toMatchObject(refused)
    const { token, next } = await enableTwoFactor(server, { token: (await signIn(user.email)).data.token })
    expect(await verify(token, next())).toMatchObject(refused)
  })

  test.each([
    ['PUT', '/api/user/2fa', {}, '2fa_enabled'],
    ['PUT', '/api/user/2fa', { '2fa_enabled': 'yes' }, '2fa_enabled'],
    ['POST', '/api/user/2fa/verify', {}, 'code'],
    ['POST', '/api/user/2fa/verify', { code: '' }, 'code'],
    ['POST', '/api/user/2fa/verify', { code: '1'.repeat(65) }, 'code'],
    ['POST', '/api/auth/otp', { code: '123456' }, 'jwt'],
    ['POST', '/api/auth/otp', { jwt: 'x' }, 'code'],
    ['POST', '/api/auth/otp', { jwt: ['x'], code: '123456' }, 'jwt'],
  ] as const)('[rule:required.code] %s %s refuses %j at its field', async (method, url, body, inputError) => {
    const { token } = await people.owner()
    expect(await call(method, url, { token, body })).toMatchObject({ status: 422, body: { inputError } })
  })

  test('requires a verified user', async () => {
    const user = await people.signUp()
    expect((await call('PUT', '/api/user/2fa', { body: { '2fa_enabled': true } })).status).toBe(401)
    expect((await put(user.token, { '2fa_enabled': true })).body.code).toBe('verification_required')
  })
})

describe('the stored secret', () => {
  test('[V6.5.2] secrets and codes are not stored in clear; a secret decrypts only for its user [V11.3.3]', async () => {
    const [one, two] = [await people.owner(), await people.owner()]
    const [mine, theirs] = [await enableTwoFactor(server, one), await enableTwoFactor(server, two)]
    const stored = JSON.stringify(await row(one.id))
    for (const secret of [mine.secret, mine.backup_code, mine.backup_code.replaceAll('-', '')])
      expect(stored).not.toContain(secret)
    await rows(
      'update two_factors set sealed_secret = (select sealed_secret from two_factors where user_id = $1) where user_id = $2',
      [two.id, one.id],
    )
    const { token } = (await signIn(one.email)).data
    const answer = await call('POST', '/api/auth/otp', { body: { jwt: token, code: theirs.next() } })
    expect(answer.status).toBe(500)
  })
})

describe('step-up [T-18] [V7.5.1]', () => {
  test('a session of eleven minutes neither turns it off nor starts again without a step-up', async () => {
    const person = await enableTwoFactor(server, await people.owner())
    clock.add(11 * minute)
    for (const on of [false, true]) {
      expect(await put(person.token, { '2fa_enabled': on })).toMatchObject({
        status: 403,
        body: { code: 'proof_required', inputError: 'password' },
      })
      expect(await put(person.token, { '2fa_enabled': on, password: 'not-this-one-1' })).toMatchObject({
        status: 422,
        body: { code: 'password_wrong', inputError: 'password' },
      })
      expect(
        await put(person.token, { '2fa_enabled': on, code: wrongTotpCode(person.secret, clock.now()) }),
      ).toMatchObject({ status: 422, body: { code: 'code_wrong', inputError: 'code' } })
      // The backup code is for signing in.
      expect((await put(person.token, { '2fa_enabled': on, code: person.backup_code })).status).toBe(422)
    }
    expect((await call('GET', '/api/user/2fa', { token: person.token })).data['2fa_enabled']).toBe(true)
    expect((await put(person.token, { '2fa_enabled': false, code: person.next() })).status).toBe(200)
  })

  test('a password works too, and both make the session recent', async () => {
    const person = await enableTwoFactor(server, await people.owner())
    clock.add(11 * minute)
    expect((await put(person.token, { '2fa_enabled': true, password })).status).toBe(200)
    expect((await put(person.token, { '2fa_enabled': false })).status).toBe(200)
  })

  test('a user without a password is asked for the code, one with neither must sign in again', async () => {
    const owner = await people.owner()
    await rows('update users set password_hash = null where id = $1', [owner.id])
    clock.add(11 * minute)
    const neither = await put(owner.token, { '2fa_enabled': true })
    expect(neither).toMatchObject({ status: 403, body: { code: 'proof_required' } })
    expect(neither.body).not.toHaveProperty('inputError')
    expect(neither.body.message).toMatch(/Sign out and in again/)
    expect((await put(owner.token, { '2fa_enabled': true, code: '123456' })).body.code).toBe('code_wrong')
    await rows('update sessions set authenticated_at = $2 where user_id = $1', [owner.id, clock.now()])
    const person = await enableTwoFactor(server, owner)
    clock.add(11 * minute)
    const asked = await put(person.token, { '2fa_enabled': false })
    expect(asked).toMatchObject({ status: 403, body: { code: 'proof_required', inputError: 'code' } })
    expect((await put(person.token, { '2fa_enabled': false, code: person.next() })).status).toBe(200)
  })

  test('[T-16] a code of a step-up is used up as well', async () => {
    const person = await enableTwoFactor(server, await people.owner())
    clock.add(11 * minute)
    const code = person.next()
    expect((await put(person.token, { '2fa_enabled': true, code })).status).toBe(200)
    const { token } = (await signIn(person.email)).data
    expect((await call('POST', '/api/auth/otp', { body: { jwt: token, code } })).body.code).toBe('code_wrong')
  })

  test('a new set-up leaves the old secret in force until the new one is proven', async () => {
    const person = await enableTwoFactor(server, await people.owner())
    const begun = await put(person.token, { '2fa_enabled': true })
    expect(begun.data['2fa_enabled']).toBe(true)
    const { secret } = begun.data
    const challenge = (await signIn(person.email)).data.token
    const otp = (code: string) => call('POST', '/api/auth/otp', { body: { jwt: challenge, code } })
    clock.add(minute)
    expect((await otp(totpCode(secret, clock.now()))).body.code).toBe('code_wrong')
    const opened = await otp(totpCode(person.secret, clock.now()))
    expect(opened.status).toBe(200)

    const proven = await verify(opened.data.token, totpCode(secret, clock.now()))
    expect(proven.status).toBe(200)
    clock.add(minute)
    const later = (await signIn(person.email)).data.token
    const again = (code: string) => call('POST', '/api/auth/otp', { body: { jwt: later, code } })
    expect((await again(totpCode(person.secret, clock.now()))).body.code).toBe('code_wrong')
    expect((await again(person.backup_code)).body.code).toBe('code_wrong')
    expect((await again(totpCode(secret, clock.now()))).status).toBe(200)
    expect(await deeds(opened.data.id)).toEqual([
      { action: 'two_factor.enabled' },
      { action: 'two_factor.replaced' },
    ])
  })
})

describe('[call:POST /api/user/2fa/backup-code] a new backup code', () => {
  const renew = (token: string | undefined, body: Record<string, unknown> = {}) =>
    call('POST', '/api/user/2fa/backup-code', { token, body })

  test('replaces the old one, used or not, and is recorded and mailed', async () => {
    const person = await enableTwoFactor(server, await people.owner())
    const useBackup = async (code: string) => {
      const jwt = (await signIn(person.email)).data.token
      return call('POST', '/api/auth/otp', { body: { jwt, code } })
    }
    const first = await renew(person.token)
    expect(first.data).toEqual({
      backup_code: expect.stringMatching(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/),
    })
    expect((await useBackup(person.backup_code)).body.code).toBe('code_wrong')
    const opened = await useBackup(first.data.backup_code)
    expect(opened.status).toBe(200)
    const read = () => call('GET', '/api/user/2fa', { token: person.token })
    expect((await read()).data.has_backup_code).toBe(false)
    const second = await renew(person.token)
    expect((await read()).data.has_backup_code).toBe(true)
    expect((await useBackup(second.data.backup_code)).status).toBe(200)
    expect((await deeds(opened.data.id)).map(({ action }) => action)).toEqual([
      'two_factor.enabled',
      'two_factor.backup_renewed',
      'two_factor.backup_used',
      'two_factor.backup_renewed',
      'two_factor.backup_used',
    ])
    await expectMail(server, person.email, 'You have a new backup code')
  })

  test('[T-18] requires a step-up when the sign-in is old', async () => {
    const person = await enableTwoFactor(server, await people.owner())
    clock.add(11 * minute)
    expect(await renew(person.token)).toMatchObject({ status: 403, body: { code: 'proof_required' } })
    expect((await renew(person.token, { password: 'wrong!123' })).body.code).toBe('password_wrong')
    expect((await renew(person.token, { password })).status).toBe(200)
  })

  test('is refused while two-factor is off, without a session, unverified, or with bad input', async () => {
    const [user, other] = [await people.owner(), await enableTwoFactor(server, await people.owner())]
    await put(user.token, { '2fa_enabled': true })
    expect(await renew(user.token)).toMatchObject({ status: 409, body: { code: 'two_factor_off' } })
    expect((await renew(undefined)).status).toBe(401)
    expect((await renew((await people.signUp()).token)).body.code).toBe('verification_required')
    expect(await renew(other.token, { password: 1 })).toMatchObject({
      status: 422,
      body: { inputError: 'password' },
    })
    // Each person replaces only their own code.
    const jwt = (await signIn(other.email)).data.token
    const body = { jwt, code: other.backup_code }
    expect((await call('POST', '/api/auth/otp', { body })).status).toBe(200)
  })
})

describe('turning it off [state:2fa.off]', () => {
  test('[T-88] ends the other sessions and pending second steps, and mails the user', async () => {
    const person = await enableTwoFactor(server, await people.owner())
    const half = (await signIn(person.email)).data.token
    const other = (await signIn(person.email)).data.token
    const opened = await call('POST', '/api/auth/otp', { body: { jwt: other, code: person.next() } })
    expect((await put(person.token, { '2fa_enabled': false })).data).toEqual({ '2fa_enabled': false })
    expect(await alive(opened.data.token)).toBe(false)
    expect(await alive(person.token)).toBe(true)
    expect(await call('POST', '/api/auth/otp', { body: { jwt: half, code: person.next() } })).toMatchObject({
      status: 422,
      body: { code: 'challenge_expired' },
    })
    expect((await signIn(person.email)).data).not.toHaveProperty('2fa_required')
    expect(await deeds(opened.data.id)).toEqual([
      { action: 'two_factor.enabled' },
      { action: 'two_factor.disabled' },
    ])
    await expectMail(server, person.email, 'Two-factor sign-in is off')
  })

  test('turning it off when it is off succeeds and mails nothing', async () => {
    const user = await people.owner()
    const other = (await signIn(user.email)).data.token
    await put(user.token, { '2fa_enabled': true })
    expect((await put(user.token, { '2fa_enabled': false })).data).toEqual({ '2fa_enabled': false })
    expect(await alive(other)).toBe(true)
    expect(await deeds(user.id)).toEqual([])
    expect(await row(user.id)).toBeUndefined()
  })
})
