import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'

const { call, people, db } = await makeTestApp()

describe('profile', () => {
  test('returns the own profile; only owners get the account name [call:GET /api/user]', async () => {
    const owner = await people.owner()
    const member = await people.member(owner, 'user')
    expect((await call('GET', '/api/user', { token: owner.token })).data).toMatchObject({
      email: owner.email,
      first_name: 'Mara',
      last_name: 'Okafor',
      name: 'Mara Okafor',
      has_password: true,
      account_name: 'Mara’s account',
    })
    expect((await call('GET', '/api/user', { token: member.token })).data).not.toHaveProperty('account_name')
    expect((await call('GET', '/api/user')).status).toBe(401)
  })

  test('the last sign-in is null for a user who never signed in to this account', async () => {
    const owner = await people.owner()
    await db.asOwnerOfJobs("update memberships set last_login_at = '-infinity' where user_id = $1", [
      owner.id,
    ])
    const { status, data } = await call('GET', '/api/user', { token: owner.token })
    expect([status, data.last_login]).toEqual([200, null])
  })

  test('changes only the fields that are sent [call:PATCH /api/user]', async () => {
    const owner = await people.owner()
    const before = (await call('GET', '/api/user', { token: owner.token })).data
    expect(before).toMatchObject({ plan: 'free', subscription: 'active', status: 'verified' })
    expect(before.last_login).toEqual(expect.any(String))
    const answer = await call('PATCH', '/api/user', {
      token: owner.token,
      body: { first_name: '  Máire ', dark_mode: true, account_name: 'North Quay', locale: 'de' },
    })
    expect(answer.data).toEqual({
      ...before,
      first_name: 'Máire',
      name: 'Máire Okafor',
      dark_mode: true,
      account_name: 'North Quay',
      locale: 'de',
      accounts: [{ ...before.accounts[0], name: 'North Quay' }],
    })
    expect((await call('GET', '/api/auth', { token: owner.token })).data).toMatchObject({
      dark_mode: true,
      locale: 'de',
      accounts: [{ name: 'North Quay' }],
    })
  })

  test('[state:dark-mode] light or dark is stored when chosen: null at first, and light is a choice too', async () => {
    const { token } = await people.verified()
    const session = async () => (await call('GET', '/api/auth', { token })).data
    expect(await session()).toMatchObject({ dark_mode: false, dark_mode_chosen: false })
    await call('PATCH', '/api/user', { token, body: { locale: 'en' } })
    expect(await session()).toMatchObject({ dark_mode_chosen: false })
    await call('PATCH', '/api/user', { token, body: { dark_mode: false } })
    expect(await session()).toMatchObject({ dark_mode: false, dark_mode_chosen: true })
  })

  test('onboarded is saved', async () => {
    const user = await people.verified()
    await call('POST', '/api/account/plan', { token: user.token, body: { plan: 'free' } })
    await call('PATCH', '/api/user', { token: user.token, body: { onboarded: true } })
    expect((await call('GET', '/api/auth', { token: user.token })).data).toMatchObject({ onboarded: true })
  })

  test('only owners name the account', async () => {
    const owner = await people.owner()
    for (const role of ['admin', 'developer', 'user'] as const) {
      const member = await people.member(owner, role)
      expect(
        await call('PATCH', '/api/user', { token: member.token, body: { account_name: 'Mine' } }),
      ).toMatchObject({
        status: 403,
        body: { inputError: 'account_name', code: 'permission_required' },
      })
    }
  })

  test('an unverified user can correct the address: a new link is sent, the old one expires', async () => {
    const user = await people.signUp()
    const old = await people.linkToken(user.email)
    const email = freshEmail('corrected')
    expect((await call('PATCH', '/api/user', { token: user.token, body: { email } })).data).toMatchObject({
      email,
      verified: false,
    })
    expect((await call('POST', '/api/user/verify', { token: user.token, body: { token: old } })).status).toBe(
      422,
    )
    expect(
      (
        await call('POST', '/api/user/verify', {
          token: user.token,
          body: { token: await people.linkToken(email) },
        })
      ).status,
    ).toBe(200)
  })

  test('the default account must be one of the user’s own; others are refused like unknown ones [screen:profile.fields]', async () => {
    const owner = await people.owner()
    const stranger = await people.owner()
    const member = await people.member(owner, 'user')
    const wish = (default_account: string) =>
      call('PATCH', '/api/user', { token: member.token, body: { default_account } })
    expect((await call('GET', '/api/user', { token: member.token })).data.default_account).toBeNull()
    expect(await wish(stranger.account_id)).toMatchObject({
      status: 404,
      body: { code: 'account_unknown', inputError: 'default_account' },
    })
    expect((await wish(owner.account_id)).data.default_account).toBe(owner.account_id)
    const signIn = { email: member.email, password }
    expect((await call('POST', '/api/auth', { body: signIn })).data.account_id).toBe(owner.account_id)
  })

  test.each([
    ['first_name', ''],
    ['last_name', 'x'.repeat(101)],
    ['email', 'nobody'],
    ['dark_mode', 'true'],
    ['onboarded', 1],
    ['locale', '../../etc/passwd'],
    ['account_name', '\u0000'],
  ])('refuses a bad %s (%j) at its field [T-84]', async (field, value) => {
    const user = await people.owner()
    expect(await call('PATCH', '/api/user', { token: user.token, body: { [field]: value } })).toMatchObject({
      status: 422,
      body: { inputError: field },
    })
  })

  test('columns that the contract does not list can’t be changed [T-30]', async () => {
    const user = await people.owner()
    const { rows: columns } = await db.pool.query<{ column_name: string }>(
      `select distinct column_name from information_schema.columns where table_schema = 'public'
       and column_name not in ('first_name', 'last_name', 'email', 'dark_mode', 'locale')`,
    )
    expect(columns.length).toBeGreaterThan(40)
    const before = await db.asOwnerOfJobs(
      'select u.*, m.role from users u join memberships m on m.user_id = u.id where u.id = $1',
      [user.id],
    )
    for (const { column_name } of columns) {
      const answer = await call('PATCH', '/api/user', {
        token: user.token,
        body: { [column_name]: 'master' },
      })
      expect(answer.status, column_name).toBe(422)
    }
    expect(
      (
        await db.asOwnerOfJobs(
          'select u.*, m.role from users u join memberships m on m.user_id = u.id where u.id = $1',
          [user.id],
        )
      ).rows,
    ).toEqual(before.rows)
  })
})
