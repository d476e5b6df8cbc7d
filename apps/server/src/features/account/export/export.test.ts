import { expect, test } from 'vitest'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { passkeyHelpers } from '../../../../test/sign-in/passkeys.ts'
import { openSocialBrowser } from '../../../../test/sign-in/social.ts'
import { enableTwoFactor } from '../../../../test/sign-in/two-factor.ts'

const made = await makeTestApp()
const { app, call, db, people } = made
const { device } = passkeyHelpers(made)
const system = db.asOwnerOfJobs
const exportOf = (token: string) => call('POST', '/api/user/export', { token })

test('the export contains all own data and no secrets [T-89]', async () => {
  const person = await people.owner()
  await openSocialBrowser(app).signIn('google', { email: person.email, email_verified: true })
  const owner = await enableTwoFactor(made, person)
  await device().register(owner.token)
  const post = (path: string, body: object) => call('POST', path, { token: owner.token, body })
  await post('/api/feedback', { rating: 'positive', comment: 'Calm' })
  await post('/api/event', { name: 'dashboard_opened', metadata: { from: 'menu' } })
  await call('PATCH', '/api/notification', { token: owner.token, body: { plan_updated: false } })
  const { data, status } = await exportOf(owner.token)
  expect(status).toBe(200)
  const { account_id } = owner
  expect(data).toMatchObject({
    user: {
      id: owner.id,
      email: owner.email,
      pending_email: null,
      first_name: 'Mara',
      has_password: true,
      '2fa_enabled': true,
    },
    memberships: [{ account_id, permission: 'owner', account_name: 'Mara’s account' }],
    identities: [{ provider: 'google', email: owner.email }],
    passkeys: [{ name: expect.any(String), last_used_at: null }],
    feedback: [{ rating: 'positive', comment: 'Calm' }],
    notifications: expect.arrayContaining([{ account_id, name: 'plan_updated', active: false }]),
    events: expect.arrayContaining([expect.objectContaining({ name: 'dashboard_opened', account_id })]),
    complete: true,
  })
  expect(data.sessions[0]).toMatchObject({ account_id, network: '127.0.0.1', method: expect.any(String) })
  const noted = data.audit_log.map(({ action }: { action: string }) => action)
  expect(noted).toEqual(
    expect.arrayContaining(['two_factor.enabled', 'passkey.added', 'identity.connected', 'plan.changed']),
  )
  // No secret and no hash of one, in any encoding of a buffer.
  const text = JSON.stringify(data)
  for (const secret of [
    owner.token,
    owner.backup_code,
    password,
    'hash',
    'sealed',
    'argon2',
    'Buffer',
    'subject',
  ])
    expect(text).not.toContain(secret)
})

test('the export is in the log and contains no data of other users', async () => {
  const owner = await people.owner()
  const member = await people.member(owner, 'user')
  const { data } = await exportOf(member.token)
  const text = JSON.stringify(data)
  expect(text).toContain(member.email)
  expect(text).not.toContain(owner.email)
  expect(text).not.toContain(owner.id)
  const { rows } = await system(
    'select account_id, user_id from audit_log where action = $1 and user_id = $2',
    ['export.own_data', member.id],
  )
  expect(rows).toEqual([{ account_id: member.account_id, user_id: member.id }])
})

test('an unverified user has data too; a visitor gets 401', async () => {
  const user = await people.signUp()
  expect((await exportOf(user.token)).data.user).toMatchObject({ email: user.email, verified_at: null })
  expect((await call('POST', '/api/user/export')).status).toBe(401)
})

test('an SSO session exports nothing of the user’s other accounts [T-53]', async () => {
  const company = await people.owner()
  const user = await people.owner()
  await system("insert into memberships (account_id, user_id, role) values ($1, $2, 'user')", [
    company.account_id,
    user.id,
  ])
  expect((await exportOf(user.token)).data.memberships).toHaveLength(2)
  const { data } = await call('POST', '/api/auth/switch', {
    token: user.token,
    body: { account: company.account_id },
  })
  await system("update sessions set method = 'saml' where user_id = $1 and account_id = $2", [
    user.id,
    company.account_id,
  ])
  const seen = await exportOf(data.token)
  expect(seen.data.memberships).toEqual([expect.objectContaining({ account_id: company.account_id })])
  expect(JSON.stringify(seen.data)).not.toContain(`"account_id":"${user.account_id}"`)
})
