import { describe, expect, test } from 'vitest'
import { apiKeyHelpers } from '../../../test/factories/api-keys.ts'
import { usePlan } from '../../../test/factories/use-plan.ts'
import { makeTestApp } from '../../../test/harness.ts'
import { sweep } from '../../jobs/sweep.ts'

const harness = await makeTestApp()
const { call, clock, db, people, services } = harness
const { make, byKey } = apiKeyHelpers(harness)
const report = (key: { full_key: string }, body: object) =>
  call('POST', '/api/usage', { headers: { authorization: `Bearer ${key.full_key}` }, body })
const rowsOf = async (account: string) =>
  (
    await db.asOwnerOfJobs(
      'select identifier, quantity, api_key_id, occurred_at, sent_at from usage_events where account_id = $1 order by id',
      [account],
    )
  ).rows

describe('reporting usage [call:POST /api/usage]', () => {
  test('stores each report once, for the meter', async () => {
    const user = await usePlan(services, await people.owner(), 'scale')
    const key = await make(user)
    const first = await report(key, { quantity: 25, identifier: 'order-1042' })
    expect(first.data).toMatchObject({ quantity: 25, identifier: 'order-1042' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => report(key, { quantity: 25, identifier: 'order-1042' })),
    )
    for (const { data } of answers) expect(data).toEqual(first.data)
    const other = await report(key, { quantity: 26, identifier: 'order-1042' })
    expect(other.body).toMatchObject({ code: 'idempotency_key_reused', inputError: 'identifier' })
    const free = await report(key, { quantity: 1 })
    expect(free.data.identifier).toBe(free.data.id)
    expect(await rowsOf(user.account_id)).toMatchObject([
      { identifier: 'order-1042', quantity: 25, api_key_id: key.id, sent_at: null },
      { identifier: free.data.id, quantity: 1 },
    ])
  })

  test('accepts reports of the last 35 days', async () => {
    const user = await usePlan(services, await people.owner(), 'scale')
    const key = await make(user)
    const at = (days: number) => new Date(services.now().getTime() + days * 86_400_000).toISOString()
    const timestamp = at(-34)
    expect((await report(key, { quantity: 1, timestamp })).data.timestamp).toBe(timestamp)
    for (const wrong of [at(-36), at(0.01), 'yesterday', 5])
      expect((await report(key, { quantity: 1, timestamp: wrong })).body).toMatchObject({
        inputError: 'timestamp',
      })
  })

  test('bad input is refused at its field; nothing is converted to a number [T-77]', async () => {
    const user = await people.owner()
    const key = await make(user)
    for (const quantity of [0, -1, 1.5, '5', null, true, [5], 1_000_001, Number.NaN])
      expect((await report(key, { quantity })).body).toMatchObject({ inputError: 'quantity' })
    expect((await report(key, { quantity: 1, identifier: '' })).body.inputError).toBe('identifier')
    expect((await report(key, { quantity: 1, identifier: 'a\u0000' })).body.inputError).toBe('identifier')
    expect((await report(key, { quantity: 1, account_id: user.account_id })).body.code).toBe('unknown_field')
    expect(await rowsOf(user.account_id)).toEqual([])
  })

  test('developers may report from their session, users may not; identifiers are per account', async () => {
    const [host, other] = [await people.owner(), await people.owner()]
    const body = { quantity: 2, identifier: 'same' }
    expect((await call('POST', '/api/usage', { token: host.token, body })).status).toBe(200)
    const user = await people.member(host, 'user')
    expect((await call('POST', '/api/usage', { token: user.token, body })).status).toBe(403)
    expect((await call('POST', '/api/usage', { body })).status).toBe(401)
    expect(
      (await call('POST', '/api/usage', { token: other.token, body: { ...body, quantity: 3 } })).status,
    ).toBe(200)
    expect((await make(host, { scope: ['event.create'] }).then(key => report(key, body))).body.code).toBe(
      'scope_required',
    )
  })
})

test('after 400 days reports, months and revoked keys are deleted; active keys stay [T-81]', async () => {
  const user = await people.owner()
  const key = await make(user)
  await report(key, { quantity: 1 })
  await db.asOwnerOfJobs('update api_keys set revoked_at = now() where id = $1', [key.id])
  const working = await make(user)
  const count = async () =>
    (
      await db.asOwnerOfJobs(
        `select (select count(*) from usage_events where account_id = $1) as reports,
           (select count(*) from usage_months where account_id = $1) as months,
           (select array_agg(id) from api_keys where account_id = $1) as keys`,
        [user.account_id],
      )
    ).rows[0]
  clock.add(399 * 86_400_000)
  await sweep(services)
  expect(await count()).toMatchObject({ reports: 1, months: 1 })
  clock.add(40 * 86_400_000)
  await sweep(services)
  expect(await count()).toEqual({ reports: 0, months: 0, keys: [working.id] })
})

describe('the plan’s monthly limit [T-45]', () => {
  test('events and usage share the limit exactly under concurrent calls; 402 names the plan', async () => {
    clock.freeze()
    const user = await people.owner()
    const key = await make(user)
    expect((await report(key, { quantity: 990 })).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 30 }, () => byKey(key)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.find(({ status }) => status !== 200)?.body).toEqual({
      code: 'limit_reached',
      plan: 'startup',
      message: 'You’ve used your plan’s 1000 events for this month. Upgrade for more.',
    })
    const over = await report(key, { quantity: 1 })
    expect(over.status).toBe(402)
    // Refused calls store nothing, and events of the product's own pages are not counted.
    expect(await rowsOf(user.account_id)).toHaveLength(1)
    const own = await call('POST', '/api/event', { token: user.token, body: { name: 'opened' } })
    expect(own.status).toBe(200)
    clock.add(32 * 86_400_000)
    expect((await byKey(key)).status).toBe(200)
  })

  test('[call:POST /api/event] an event sent with a key belongs to the account and no user', async () => {
    const user = await people.owner()
    await byKey(await make(user))
    const { rows } = await db.asOwnerOfJobs(
      'select user_id, name from events where account_id = $1 and name = $2',
      [user.account_id, 'parcel_sent'],
    )
    expect(rows).toEqual([{ user_id: null, name: 'parcel_sent' }])
  })
})
