import { contract, type Endpoint } from '@plinth/contract'
import { grants } from '@plinth/contract/roles'
import { scopes } from '@plinth/contract/scopes'
import { describe, expect, test } from 'vitest'
import { apiKeyHelpers } from '../../../test/factories/api-keys.ts'
import { usePlan } from '../../../test/factories/use-plan.ts'
import { makeTestApp } from '../../../test/harness.ts'
import { makeApp } from '../../app.ts'
import { newApiKey } from '../../lib/api-key.ts'
import { sendKeyReminders } from './reminders.ts'

const harness = await makeTestApp()
const { call, clock, db, people, services } = harness
const { make, byKey, sendEvent, listOf, mailAbout } = apiKeyHelpers(harness)
const system = db.asOwnerOfJobs
const owner = async () => usePlan(services, await people.owner(), 'startup')
const endpoints: Endpoint[] = Object.values(contract).flatMap(table => Object.values(table))

describe('authentication by key [T-39]', () => {
  test('accepts Bearer and Basic, as user name or raw; Basic does not accept a session', async () => {
    const user = await owner()
    const { full_key } = await make(user)
    const encoded = (text: string) => Buffer.from(text).toString('base64')
    for (const header of [
      `Bearer ${full_key}`,
      `bearer ${full_key}`,
      `Basic ${encoded(`${full_key}:`)}`,
      `Basic ${encoded(`${full_key}:anything`)}`,
      `Basic ${encoded(full_key)}`,
      `Basic ${full_key}`,
    ])
      expect((await sendEvent(header)).status, header.slice(0, 8)).toBe(200)
    for (const header of [
      `Basic ${encoded(`:${full_key}`)}`,
      `Basic ${encoded(user.token)}`,
      `Basic ${user.token}`,
      'Basic !',
      `Digest ${full_key}`,
      `Bearer ${full_key}x`,
      `Bearer ${newApiKey('test')}`,
      `Bearer ${full_key.slice(0, -1)}${full_key.endsWith('a') ? 'b' : 'a'}`,
      'Bearer plinth_test_',
    ])
      expect((await sendEvent(header)).status, header.slice(0, 8)).toBe(401)
  })

  test('no scope gives more than a developer has, or any account security call', () => {
    const open = endpoints.filter(({ scope }) => scope !== undefined)
    expect([...new Set(open.map(({ scope }) => scope))].sort()).toEqual([...scopes].sort())
    for (const { path, needs, stage } of open) {
      expect(needs === 'public' || !grants('developer', needs), path).toBe(false)
      expect(path).not.toMatch(/^\/api\/(auth|user|key|invite|account|console)|2fa|sso/)
      expect(stage, path).not.toBe('session')
    }
  })

  test('every call without a scope refuses a valid key, whatever body is sent', async () => {
    const { full_key } = await make(await owner())
    for (const { method, path, needs, scope } of endpoints) {
      if (needs === 'public' || scope) continue
      const answer = await call(method, path.replace(/:\w+/g, crypto.randomUUID()), {
        headers: { authorization: `Bearer ${full_key}` },
        body: method === 'GET' ? undefined : {},
      })
      expect([method, path, answer.body.code]).toEqual([method, path, 'key_not_allowed'])
    }
  })

  test('a key is refused where a signed-in user is required', async () => {
    const { full_key } = await make(await owner())
    const { data } = await call('GET', '/api/auth', { headers: { authorization: `Bearer ${full_key}` } })
    expect(data).toEqual({ authenticated: false })
  })

  test('a key without the call’s scope is refused', async () => {
    const key = await make(await owner(), { scope: ['usage.create'] })
    expect((await byKey(key)).body).toMatchObject({
      code: 'scope_required',
      message: 'This API key lacks the scope event.create',
    })
  })

  test('an expired key is refused; the last use is recorded once a minute', async () => {
    clock.freeze()
    const user = await owner()
    const key = await make(user, {
      expires_at: new Date(services.now().getTime() + 10 * 60_000).toISOString(),
    })
    const used = async () => (await listOf(user.token))[0].last_used_at
    expect(await used()).toBeNull()
    const first = services.now().toISOString()
    await Promise.all(Array.from({ length: 20 }, () => byKey(key)))
    expect(await used()).toBe(first)
    clock.add(59_000)
    await byKey(key)
    expect(await used()).toBe(first)
    clock.add(2000)
    await byKey(key)
    expect(await used()).toBe(services.now().toISOString())
    clock.add(9 * 60_000)
    expect((await byKey(key)).body.code).toBe('key_unknown')
    expect((await listOf(user.token))[0].active).toBe(false)
  })
})

describe('the maker’s permission [T-39] [T-42]', () => {
  test('a demoted maker’s key gets 403 at once and works again after the role returns', async () => {
    const host = await owner()
    const developer = await people.member(host, 'developer')
    const key = await make(developer)
    const setRole = (role: string) =>
      system('update memberships set role = $1 where account_id = $2 and user_id = $3', [
        role,
        host.account_id,
        developer.id,
      ])
    for (const role of ['user', 'admin']) {
      await setRole(role)
      expect((await byKey(key)).body.code, role).toBe('permission_required')
    }
    await setRole('developer')
    expect((await byKey(key)).status).toBe(200)
  })

  test('a member who is removed during the call creates no key', async () => {
    const host = await owner()
    for (let round = 0; round < 5; round++) {
      const developer = await people.member(host, 'developer')
      const body = { name: 'Late', scope: ['event.create'] }
      const [removed, ...made] = await Promise.all([
        call('DELETE', `/api/user/${developer.id}`, { token: host.token }),
        ...Array.from({ length: 10 }, () => call('POST', '/api/key', { token: developer.token, body })),
      ])
      expect(removed.status).toBe(200)
      for (const answer of made) expect([200, 401, 402, 403], answer.text).toContain(answer.status)
      const { rows } = await system(
        'select 1 from api_keys where account_id = $1 and name = $2 and revoked_at is null',
        [host.account_id, body.name],
      )
      expect(rows).toEqual([])
    }
  })

  test('when the creator leaves or is deleted the key stops working; the list shows it as inactive', async () => {
    const host = await owner()
    for (const leave of [
      'delete from memberships where user_id = $1 and account_id = $2',
      'delete from users where id = $1 and $2::uuid is not null',
    ]) {
      const developer = await people.member(host, 'developer')
      const key = await make(developer)
      // Their own account, which needs an owner.
      await system(
        'delete from accounts a using memberships m where m.account_id = a.id and m.user_id = $1 and a.id <> $2',
        [developer.id, host.account_id],
      )
      await system(leave, [developer.id, host.account_id])
      expect((await byKey(key)).body.code).toBe('key_unknown')
      const row = (await listOf(host.token)).find(({ id }: { id: string }) => id === key.id)
      expect(row).toMatchObject({ active: false })
      expect(row.revoked_at).not.toBeNull()
      const { rows } = await system('select sealed_key from api_keys where id = $1', [key.id])
      expect(rows).toEqual([{ sealed_key: null }])
    }
  })

  test('a key does not work while its maker’s address is unverified [T-38]', async () => {
    const user = await owner()
    const key = await make(user)
    await system('update users set verified_at = null where id = $1', [user.id])
    expect((await byKey(key)).body.code).toBe('key_unknown')
  })

  test('T-44 the account’s plan and status count, also for a master', async () => {
    const user = await owner()
    const key = await make(user)
    await system('insert into masters (user_id) values ($1)', [user.id])
    const set = (status: string) =>
      system('update subscriptions set status = $1 where account_id = $2', [status, user.account_id])
    await set('canceled')
    expect((await byKey(key)).body).toMatchObject({ code: 'subscription_inactive', plan: 'startup' })
    await set('trialing')
    expect((await byKey(key)).status).toBe(200)
    await system('update accounts set plan = null where id = $1', [user.account_id])
    expect((await byKey(key)).body.code).toBe('plan_required')
  })

  test('T-41 support acting as a user sees keys but can’t create, show, change or delete them', async () => {
    const user = await owner()
    const key = await make(user)
    const master = await people.owner()
    await system('update users set support_enabled = true where id = $1', [user.id])
    await system('insert into masters (user_id) values ($1)', [master.id])
    await system('update sessions set impersonator_id = $1 where user_id = $2', [master.id, user.id])
    const { token } = user
    expect((await call('GET', '/api/key', { token })).data).toHaveLength(1)
    for (const [method, path, body] of [
      ['POST', '/api/key', { name: 'x', scope: ['usage.create'] }],
      ['POST', `/api/key/${key.id}/reveal`, {}],
      ['PATCH', `/api/key/${key.id}`, { active: false }],
      ['DELETE', '/api/key', { id: [key.id] }],
    ] as const)
      expect((await call(method, path, { token, body })).body.code).toBe('support_not_allowed')
  })
})

test('V6.4.5 the maker is mailed 30, 7 and 1 days before expiry, each once', async () => {
  const user = await owner()
  const day = 86_400_000
  await make(user, { name: 'Ends', expires_at: new Date(services.now().getTime() + 31 * day).toISOString() })
  const warned = async () =>
    (await system('select warned_days from api_keys where account_id = $1', [user.account_id])).rows[0]
  await sendKeyReminders(services)
  expect(await warned()).toEqual({ warned_days: null })
  for (const [days, due, subject] of [
    [1, 30, 'An API key stops working in 30 days'],
    [23, 7, 'An API key stops working in 7 days'],
    [6, 1, 'An API key stops working tomorrow'],
  ] as const) {
    clock.add(days * day)
    await sendKeyReminders(services)
    await sendKeyReminders(services)
    expect(await warned()).toEqual({ warned_days: due })
    expect(await mailAbout(user.email, subject)).toContain('The API key “Ends” stops working in')
  }
})

test('with reveal switched off no copy is stored and no key is shown again', async () => {
  const strict = { ...services, config: { ...services.config, revealApiKeys: false } }
  const app = await makeApp({ services: strict, db, readiness: { draining: false } })
  const user = await owner()
  const headers = { authorization: `Bearer ${user.token}` }
  const made = await app.inject({
    method: 'POST',
    url: '/api/key',
    headers,
    payload: { name: 'Hashed only', scope: ['usage.create'] },
  })
  const { id, revealable } = made.json().data
  expect(revealable).toBe(false)
  const shown = await app.inject({ method: 'POST', url: `/api/key/${id}/reveal`, headers, payload: {} })
  expect(shown.json().code).toBe('key_hidden')
  await app.close()
})
