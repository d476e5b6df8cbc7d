import { describe, expect, test } from 'vitest'
import { makeMaster } from '../../../../test/factories/masters.ts'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'

const { call, people, clock, db } = await makeTestApp()
const day = 86_400_000

describe('session check', () => {
  test('returns the session user for a valid token [call:GET /api/auth] [entity:account]', async () => {
    const user = await people.owner()
    const { status, data } = await call('GET', '/api/auth', { token: user.token })
    expect(status).toBe(200)
    expect(data).toEqual({
      authenticated: true,
      id: user.id,
      account_id: user.account_id,
      name: 'Mara Okafor',
      verified: true,
      email_pending: false,
      plan: 'free',
      onboarded: true,
      subscription: 'active',
      permission: 'owner',
      second_factor_required: false,
      dark_mode: false,
      dark_mode_chosen: false,
      avatar: null,
      locale: 'en',
      duplicate_user: false,
      support_until: null,
      accounts: [
        { id: user.account_id, name: 'Mara’s account', permission: 'owner', since: expect.any(String) },
      ],
    })
  })

  test.each([
    ['no token', undefined],
    ['an unknown token', 'x'.repeat(43)],
    ['a short token', 'abc'],
    ['a token with odd characters', `${'x'.repeat(40)}%00`],
  ])('answers 200 and not authenticated for %s', async (_what, token) => {
    const { status, data } = await call('GET', '/api/auth', { token })
    expect([status, data]).toEqual([200, { authenticated: false }])
  })

  test('ignores a user id and a body', async () => {
    const user = await people.verified()
    expect((await call('GET', `/api/auth?id=${user.id}`)).data).toEqual({ authenticated: false })
  })
})

describe('password sign-in', () => {
  test('opens a session [call:POST /api/auth]', async () => {
    const user = await people.owner()
    const answer = await call('POST', '/api/auth', {
      body: { email: `  ${user.email.toUpperCase()} `, password },
    })
    expect(answer.data).toMatchObject({
      verified: true,
      email_pending: false,
      plan: 'free',
      permission: 'owner',
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  test('a known and an unknown address are refused alike [T-10]', async () => {
    const user = await people.verified()
    const wrong = await call('POST', '/api/auth', { body: { email: user.email, password: 'not-this-one-1' } })
    const unknown = await call('POST', '/api/auth', {
      body: { email: freshEmail(), password: 'not-this-one-1' },
    })
    expect(wrong).toMatchObject({ status: 422, body: { code: 'credentials_wrong', inputError: 'password' } })
    expect(unknown.text).toBe(wrong.text)
    expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(wrong.headers).sort())
  })

  test.each([
    ['email', { password }, 'Email is required'],
    ['email', { email: 'no', password }, 'Enter a valid email address'],
    ['password', { email: 'a@b.cc' }, 'Password is required'],
    ['password', { email: 'a@b.cc', password: 'x'.repeat(257) }, 'Enter at most 256 characters'],
    ['token', { email: 'a@b.cc', password, token: 'x' }, 'Send either “token” or “email”, not both'],
  ])('leads a bad %s to its field', async (inputError, body, message) => {
    expect(await call('POST', '/api/auth', { body })).toMatchObject({
      status: 422,
      body: { inputError, message },
    })
  })

  test('says so in German', async () => {
    const answer = await call('POST', '/api/auth', {
      body: { email: 'no', password },
      headers: { 'accept-language': 'de' },
    })
    expect(answer.body.message).toBe('Geben Sie eine gültige E-Mail-Adresse ein')
  })

  test('an address of look-alikes is another address or none [T-23]', async () => {
    const user = await people.verified(freshEmail('istanbul'))
    for (const email of [
      user.email.replace('i', 'ı'),
      user.email.replace('@', '＠'),
      `${user.email}.`,
      `<${user.email}>`,
      `${user.email},a@b.cc`,
    ]) {
      expect((await call('POST', '/api/auth', { body: { email, password } })).status, email).toBe(422)
    }
  })
})

describe('sessions', () => {
  test('sign-out ends this session and no other [call:DELETE /api/auth]', async () => {
    const user = await people.verified()
    const other = (await call('POST', '/api/auth', { body: { email: user.email, password } })).data as {
      token: string
    } // as: a session user
    expect((await call('DELETE', '/api/auth', { token: user.token })).status).toBe(200)
    expect((await call('GET', '/api/user', { token: user.token })).status).toBe(401)
    expect((await call('GET', '/api/user', { token: other.token })).status).toBe(200)
  })

  test('a session ends after 7 idle days, and after 30 days however busy [T-19]', async () => {
    const user = await people.verified()
    const alive = async () => (await call('GET', '/api/auth', { token: user.token })).data
    for (let days = 0; days < 29; days += 6) {
      clock.add(6 * day)
      expect(await alive(), `after ${days + 6} days`).toMatchObject(
        days + 6 < 30 ? { authenticated: true } : { authenticated: false },
      )
    }
    const idle = await people.verified()
    clock.add(7 * day + 1000)
    expect((await call('GET', '/api/auth', { token: idle.token })).data).toEqual({ authenticated: false })
  })

  test('roles are read on every request', async () => {
    const owner = await people.owner()
    const admin = await people.member(owner, 'admin')
    expect((await call('GET', '/api/auth', { token: admin.token })).data).toMatchObject({
      permission: 'admin',
    })
    await db.asOwnerOfJobs("update memberships set role = 'user' where user_id = $1 and account_id = $2", [
      admin.id,
      owner.account_id,
    ])
    expect((await call('GET', '/api/auth', { token: admin.token })).data).toMatchObject({
      permission: 'user',
    })
    await db.asOwnerOfJobs('delete from memberships where user_id = $1 and account_id = $2', [
      admin.id,
      owner.account_id,
    ])
    expect((await call('GET', '/api/auth', { token: admin.token })).data).toEqual({ authenticated: false })
  })
})

describe('switching accounts', () => {
  test('opens the other account under a new token [call:POST /api/auth/switch]', async () => {
    const owner = await people.owner()
    const member = await people.member(owner, 'developer')
    expect(member).toMatchObject({ account_id: owner.account_id, permission: 'developer' })
    const own = member.accounts.find(({ id }) => id !== owner.account_id)
    const back = await call('POST', '/api/auth/switch', { token: member.token, body: { account: own?.id } })
    expect(back.data).toMatchObject({ account_id: own?.id, permission: 'owner' })
    expect((await call('GET', '/api/auth', { token: member.token })).data).toEqual({ authenticated: false })
  })

  test('an account without membership returns not found [T-43]', async () => {
    const [a, b] = [await people.owner(), await people.owner()]
    const answer = await call('POST', '/api/auth/switch', { token: a.token, body: { account: b.account_id } })
    expect(answer).toMatchObject({ status: 404, body: { code: 'account_unknown' } })
    expect((await call('GET', '/api/auth', { token: a.token })).data).toMatchObject({
      authenticated: true,
      account_id: a.account_id,
    })
  })

  test('requires a session and an id', async () => {
    const user = await people.owner()
    expect((await call('POST', '/api/auth/switch', { body: { account: user.account_id } })).status).toBe(401)
    expect(
      await call('POST', '/api/auth/switch', { token: user.token, body: { account: '1' } }),
    ).toMatchObject({ status: 422, body: { inputError: 'account' } })
  })
})

describe('permissions of a session [T-44]', () => {
  test('unverified, without a plan, unpaid: refused at the documented stage', async () => {
    const unverified = await people.signUp()
    const planless = await people.verified()
    const unpaid = await people.owner()
    await db.asOwnerOfJobs("update subscriptions set status = 'canceled' where account_id = $1", [
      unpaid.account_id,
    ])
    const at = async (token: string, method: 'GET' | 'POST', url: string) =>
      (await call(method, url, { token, body: method === 'POST' ? {} : undefined })).status
    expect(await at(unverified.token, 'GET', '/api/user')).toBe(200)
    expect(await at(unverified.token, 'GET', '/api/account/plans')).toBe(403)
    expect(await at(unverified.token, 'GET', '/api/demo')).toBe(403)
    expect(await at(planless.token, 'GET', '/api/account/plans')).toBe(200)
    expect(await at(planless.token, 'GET', '/api/demo')).toBe(402)
    expect(await at(unpaid.token, 'GET', '/api/account/subscription')).toBe(200)
    const refused = await call('GET', '/api/demo', { token: unpaid.token })
    expect(refused).toMatchObject({ status: 402, body: { code: 'subscription_inactive', plan: 'startup' } })
  })

  test('a master is not stopped by the subscription', async () => {
    const master = await people.owner()
    await db.asOwnerOfJobs("update subscriptions set status = 'canceled' where account_id = $1", [
      master.account_id,
    ])
    await makeMaster(db, master)
    expect((await call('GET', '/api/demo', { token: master.token })).status).toBe(200)
  })
})
