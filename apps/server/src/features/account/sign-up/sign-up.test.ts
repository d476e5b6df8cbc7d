import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'

const { call, people, db, clock } = await makeTestApp()
const body = (over: Record<string, unknown> = {}) => ({
  first_name: 'Mara',
  last_name: 'Okafor',
  email: freshEmail(),
  password,
  ...over,
})

describe('sign-up', () => {
  test('makes an unverified owner with an account and sends a link [call:POST /api/account]', async () => {
    const sent = body()
    const answer = await call('POST', '/api/account', { body: sent })
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({
      verified: false,
      plan: null,
      onboarded: false,
      permission: 'owner',
      name: 'Mara Okafor',
    })
    expect(answer.data).toMatchObject({ accounts: [{ name: 'Mara’s account' }] })
    const mail = await people.mailTo(sent.email)
    expect(mail.links.some(link => link.startsWith('http://localhost:5000/signup/verify?token='))).toBe(true)
  })

  test('speaks the language that is asked for', async () => {
    const sent = body()
    const answer = await call('POST', '/api/account', {
      body: sent,
      headers: { 'accept-language': 'de-DE,de;q=0.9' },
    })
    expect(answer.data).toMatchObject({ locale: 'de', accounts: [{ name: 'Konto von Mara' }] })
    expect((await people.mailTo(sent.email)).subject).toMatch(/E-Mail/)
  })

  test('a taken address gets the same answer as a free one [T-10]', async () => {
    const known = await people.verified()
    const free = await call('POST', '/api/account', { body: body() })
    const taken = await call('POST', '/api/account', { body: body({ email: known.email }) })
    const masked = (text: string) =>
      text
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
        .replace(/"token":"[\w-]+"/, '"token":"t"')
        .replace(/"since":"[\d:.TZ-]{24}"/, '"since":"now"')
    expect(taken.status).toBe(free.status)
    expect(masked(taken.text)).toBe(masked(free.text))
    const shape = (headers: Record<string, unknown>) => Object.keys(headers).sort()
    expect(shape(taken.headers)).toEqual(shape(free.headers))
  })

  test.each([
    ['first_name', '', 'First name is required'],
    ['first_name', '   ', 'First name is required'],
    ['first_name', 'a\u202Eb', 'First name contains characters that aren’t allowed'],
    ['last_name', 'x'.repeat(101), 'Enter at most 100 characters'],
    ['email', 'mara@', 'Enter a valid email address'],
    ['email', '', 'Email is required'],
    ['password', 'short-1', 'Enter at least 8 characters'],
    ['password', 'nospecialcharacter1', 'Add at least one special character, such as ! or ?'],
    ['password', `${'x'.repeat(256)}!`, 'Enter at most 256 characters'],
    ['confirm_password', 'another-password-1', 'Passwords do not match'],
  ])('leads a bad %s (%j) to its field [rule:password.complex]', async (field, value, message) => {
    const answer = await call('POST', '/api/account', { body: body({ [field]: value }) })
    expect(answer).toMatchObject({ status: 422, body: { inputError: field, message, code: 'invalid_input' } })
  })

  test.each([
    ['a missing field', { first_name: undefined }, 422],
    ['a number for a text', { first_name: 7 }, 422],
    ['a list for a text', { email: ['a@b.cc'] }, 422],
    ['an unknown field', { verified: true }, 422],
    ['a field of the table', { verified_at: '2026-01-01' }, 422],
  ])('refuses %s [T-77]', async (_what, over, status) => {
    const answer = await call('POST', '/api/account', { body: body(over) })
    expect(answer.status).toBe(status)
  })

  test('passwords are compared verbatim: a space at the end counts', async () => {
    const sent = body({ password: 'with-space-1 ' })
    await call('POST', '/api/account', { body: sent })
    expect(
      (await call('POST', '/api/auth', { body: { email: sent.email, password: 'with-space-1' } })).status,
    ).toBe(422)
    expect(
      (await call('POST', '/api/auth', { body: { email: sent.email, password: 'with-space-1 ' } })).status,
    ).toBe(200)
  })

  test('with the same Idempotency-Key one user is created and the reply is the same', async () => {
    const sent = body()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await call('POST', '/api/account', { body: sent, headers })
    const again = await call('POST', '/api/account', { body: sent, headers })
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotent-replayed']).toBe('true')
    const other = await call('POST', '/api/account', { body: { ...sent, first_name: 'Other' }, headers })
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
    const { rows } = await asSystem('select count(*) from users where email = $1', [sent.email])
    expect(rows[0]).toEqual({ count: 1 })
  })

  test('thirty parallel calls with one key create one user', async () => {
    const sent = body()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => call('POST', '/api/account', { body: sent, headers })),
    )
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const { rows } = await asSystem('select count(*) from users where email = $1', [sent.email])
    expect(rows[0]).toEqual({ count: 1 })
  })

  test('stores no password and no token in clear, also in jobs and idempotent replies', async () => {
    const sent = body({ password: 'canary-password-9' })
    const answer = await call('POST', '/api/account', {
      body: sent,
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    const token = String((answer.data as { token: string }).token) // as: a sign-up answers a token
    const link = await people.linkToken(sent.email)
    for (const secret of ['canary-password-9', token, link]) {
      for (const table of ['users', 'sessions', 'mailed_tokens', 'idempotency_keys', 'pgboss.job']) {
        const { rows } = await asSystem(`select count(*) from ${table} t where strpos(t::text, $1) > 0`, [
          secret,
        ])
        expect(rows[0], `${table} holds a secret`).toEqual({ count: 0 })
      }
    }
  })
})

describe('verification', () => {
  test('the mailed link verifies once and gives a new token [call:POST /api/user/verify] [T-19]', async () => {
    const user = await people.signUp()
    const link = await people.linkToken(user.email)
    const answer = await call('POST', '/api/user/verify', { token: user.token, body: { token: link } })
    expect(answer.data).toMatchObject({ verified: true, plan: null })
    const fresh = (answer.data as { token: string }).token // as: a verification answers a token
    expect((await call('GET', '/api/user', { token: user.token })).status).toBe(401)
    expect((await call('GET', '/api/user', { token: fresh })).status).toBe(200)
    const again = await call('POST', '/api/user/verify', { token: fresh, body: { token: link } })
    expect(again).toMatchObject({ status: 422, body: { code: 'link_expired' } })
  })

  test('of fifty parallel tries exactly one succeeds [T-13]', async () => {
    const user = await people.signUp()
    const link = await people.linkToken(user.email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        call('POST', '/api/user/verify', { token: user.token, body: { token: link } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('an old link expires when a new one is requested [call:POST /api/user/verify/request]', async () => {
    const user = await people.signUp()
    const first = await people.mailTo(user.email)
    const old = await people.linkToken(user.email)
    const asked = await call('POST', '/api/user/verify/request', { token: user.token })
    expect(asked).toMatchObject({ status: 200, body: { message: 'We sent you a new link' } })
    const fresh = await people.linkToken(user.email, first.id)
    expect(fresh).not.toBe(old)
    expect((await call('POST', '/api/user/verify', { token: user.token, body: { token: old } })).status).toBe(
      422,
    )
    expect(
      (await call('POST', '/api/user/verify', { token: user.token, body: { token: fresh } })).status,
    ).toBe(200)
  })

  test('a link expires after a day', async () => {
    const user = await people.signUp()
    const link = await people.linkToken(user.email)
    clock.add(24 * 3_600_000 + 1000)
    expect(
      await call('POST', '/api/user/verify', { token: user.token, body: { token: link } }),
    ).toMatchObject({
      status: 422,
      body: { code: 'link_expired' },
    })
  })

  test('another user’s link does nothing, and needs a session at all', async () => {
    const [a, b] = [await people.signUp(), await people.signUp()]
    const link = await people.linkToken(a.email)
    expect((await call('POST', '/api/user/verify', { token: b.token, body: { token: link } })).status).toBe(
      422,
    )
    expect((await call('POST', '/api/user/verify', { body: { token: link } })).status).toBe(401)
    expect((await call('POST', '/api/user/verify', { token: a.token, body: { token: link } })).status).toBe(
      200,
    )
  })

  test('verification deletes all other unverified users of the address with their sessions [T-38]', async () => {
    const email = freshEmail()
    const attacker = await people.signUp(email)
    const first = await people.mailTo(email)
    const owner = await people.signUp(email)
    const link = await people.linkToken(email, first.id)
    expect(
      (await call('POST', '/api/user/verify', { token: owner.token, body: { token: link } })).status,
    ).toBe(200)
    expect((await call('GET', '/api/auth', { token: attacker.token })).data).toEqual({ authenticated: false })
    const { rows } = await asSystem('select count(*) from accounts where id = $1', [attacker.account_id])
    expect(rows[0]).toEqual({ count: 0 })
  })

  test('for an address that has a user, the account moves to that user, who signs in again', async () => {
    const known = await people.owner()
    const seen = await people.mailTo(known.email)
    const again = await call('POST', '/api/account', {
      body: { ...body(), email: known.email, password: 'a-new-password-2' },
    })
    const second = again.data as { token: string; account_id: string } // as: a sign-up answers a session user
    const link = await people.linkToken(known.email, seen.id)
    const answer = await call('POST', '/api/user/verify', { token: second.token, body: { token: link } })
    expect(answer).toMatchObject({ status: 401, body: { code: 'sign_in_again' } })
    expect((await call('GET', '/api/auth', { token: second.token })).data).toEqual({ authenticated: false })
    expect(
      (await call('POST', '/api/auth', { body: { email: known.email, password: 'a-new-password-2' } }))
        .status,
    ).toBe(422)
    const back = await call('POST', '/api/auth', { body: { email: known.email, password } })
    expect(back.data).toMatchObject({ duplicate_user: true, onboarded: false, account_id: known.account_id })
    expect((back.data as { accounts: { id: string }[] }).accounts.map(({ id }) => id)).toEqual([
      known.account_id,
      second.account_id,
    ]) // as: a session user
  })
})

async function asSystem(text: string, values: unknown[]) {
  const result = await db.asOwnerOfJobs(text, values)
  return { rows: result.rows }
}
