import { expect, test } from 'vitest'
import { makeTestApp } from '../../test/harness.ts'

const { call, db, people } = await makeTestApp()

test('[T-06] a role changed in the browser’s storage has no effect: the session decides', async () => {
  const owner = await people.owner()
  const member = await people.member(owner, 'user')
  const other = await people.member(owner, 'developer')
  const forged = { ...member, permission: 'master' }
  const at = async () => {
    const { rows } = await db.asOwnerOfJobs(
      `select a.name, s.plan, m.role, (select count(*)::int from invites where account_id = a.id) as invites
       from accounts a join subscriptions s on s.account_id = a.id join memberships m on m.account_id = a.id
       where a.id = $1 and m.user_id = $2`,
      [owner.account_id, member.id],
    )
    return rows
  }
  const before = await at()
  expect(before).toMatchObject([{ role: 'user', plan: 'free', invites: 0 }])

  // The page requests its user at each start, which replaces the stored one.
  const check = await call('GET', '/api/auth', { token: forged.token })
  expect(check.data).toMatchObject({ authenticated: true, permission: 'user' })
  for (const [method, path, body] of [
    ['GET', '/api/account/plans', undefined],
    ['GET', '/api/account/subscription', undefined],
    ['POST', '/api/account/plan', { plan: 'free' }],
    ['POST', '/api/invite', { email: 'x@y.example', permission: 'admin' }],
    ['PATCH', '/api/user', { account_name: 'Mine now' }],
  ] as const) {
    const answer = await call(method, path, { token: forged.token, body })
    expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([403, 'permission_required'])
  }
  for (const [status, body] of [
    [422, { permission: 'master' }],
    [403, { permission: 'admin', id: other.id }],
    [422, forged],
  ] as const)
    expect((await call('PATCH', '/api/user', { token: forged.token, body })).status).toBe(status)
  expect(await at()).toEqual(before)
})
