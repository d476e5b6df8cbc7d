import { randomBytes, randomUUID } from 'node:crypto'
import { cheapestPlanFor, planIds, planOf } from '@plinth/contract/plans'
import { expect, test } from 'vitest'
import { apiKeyHelpers } from '../factories/api-keys.ts'
import { usePlan } from '../factories/use-plan.ts'
import { freshEmail, makeTestApp } from '../harness.ts'

const made = await makeTestApp()
const { call, people, services } = made
const { make, byKey } = apiKeyHelpers(made)

/** Fills the account with copies of this key. */
async function copyKey(id: string, count: number) {
  await services.asSystem('test', async tx => {
    const row = await tx.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const copies = Array.from({ length: count }, () => ({
      ...row,
      id: randomUUID(),
      key_hash: randomBytes(32),
    }))
    await tx.insertInto('api_keys').values(copies).execute()
  })
}

test('on the highest plan a full list of keys is 409, without a plan to buy', async () => {
  const { token } = await usePlan(services, await people.owner(), 'scale')
  await copyKey((await make({ token })).id, 99)
  const refused = await call('POST', '/api/key', { token, body: { name: 'Next', scope: ['usage.create'] } })
  expect([refused.status, refused.body]).toEqual([
    409,
    {
      code: 'keys_full',
      message: 'You have 100 active API keys, which is the maximum. Revoke one first.',
    },
  ])
  const room = await call('GET', '/api/key/allowance', { token })
  expect(room.data).toEqual({ used: 100, limit: 100, plan: null })
})

test('a full team, a full list of keys and used-up events are 402 with the plan that allows more', async () => {
  const { token } = await usePlan(services, await people.owner(), 'startup')
  const key = await make({ token })
  await copyKey(key.id, 9)
  const email = Array.from({ length: 20 }, () => freshEmail()).join(',')
  await call('POST', '/api/usage', {
    headers: { authorization: `Bearer ${key.full_key}` },
    body: { quantity: 100_000 },
  })
  const answers = [
    await call('POST', '/api/invite', { token, body: { email } }),
    await call('POST', '/api/key', { token, body: { name: 'Next', scope: ['usage.create'] } }),
    await byKey(key),
  ]
  for (const { status, body } of answers)
    expect([status, body]).toEqual([402, expect.objectContaining({ code: 'limit_reached', plan: 'scale' })])
})

test('each limit of people and events is lifted by a plan, so that its 402 can name one', () => {
  for (const what of ['users', 'events'] as const)
    for (const id of planIds) {
      const limit = planOf(id).entitlements[what]
      if (limit !== null) expect(cheapestPlanFor(what, limit + 1)).not.toBeNull()
    }
})
