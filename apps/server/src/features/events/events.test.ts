import { expect, test } from 'vitest'
import { makeTestApp } from '../../../test/harness.ts'

const { call, people, db } = await makeTestApp()
const count = async (account: string) =>
  (await db.asOwnerOfJobs('select count(*) from events where account_id = $1', [account])).rows[0]

test('records a product event in the account of its sender [call:POST /api/event]', async () => {
  const [a, b] = [await people.owner(), await people.owner()]
  const answer = await call('POST', '/api/event', {
    token: a.token,
    body: { name: 'cancelled_onboarding', metadata: { page: 2 } },
  })
  expect(answer).toMatchObject({ status: 200, body: { data: {} } })
  expect(await count(a.account_id)).toEqual({ count: 1 })
  expect(await count(b.account_id)).toEqual({ count: 0 })
})

test.each([
  ['a name with spaces', { name: 'not a name' }],
  ['a long name', { name: 'x'.repeat(51) }],
  ['no name', {}],
  ['nested metadata', { name: 'x', metadata: { a: { b: 1 } } }],
  [
    'too much metadata',
    { name: 'x', metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n])) },
  ],
  ['another account', { name: 'x', account_id: '01a1fa42-8c01-78ae-9ea9-6d886f883969' }],
])('refuses %s [T-81]', async (_what, body) => {
  const user = await people.owner()
  expect((await call('POST', '/api/event', { token: user.token, body })).status).toBe(422)
  expect(await count(user.account_id)).toEqual({ count: 0 })
})

test('refuses a visitor', async () => {
  expect((await call('POST', '/api/event', { body: { name: 'x' } })).status).toBe(401)
})

test('stores nothing for who has not proven an address [T-81]', async () => {
  const user = await people.signUp()
  const answer = await call('POST', '/api/event', { token: user.token, body: { name: 'x' } })
  expect(answer).toMatchObject({ status: 403, body: { code: 'verification_required' } })
  expect(await count(user.account_id)).toEqual({ count: 0 })
})
