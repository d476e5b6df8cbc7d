import { expect, test } from 'vitest'
import { makeTestApp } from '../../../test/harness.ts'

const { call, people, db } = await makeTestApp()
const count = async (account: string) =>
  (await db.asOwnerOfJobs('select count(*) from events where account_id = $1', [account])).rows[0]

test('records a product event in the sender’s account [call:POST /api/event]', async () => {
  const [a, b] = [await people.owner(), await people.owner()]
  const answer = await call('POST', '/api/event', {
    token: a.token,
    body: { name: 'cancelled_onboarding', metadata: { page: 2 } },
  })
  expect(answer).toMatchObject({ status: 200, body: { data: {} } })
  expect(await count(a.account_id)).toEqual({ count: 1 })
  expect(await count(b.account_id)).toEqual({ count: 0 })
})

test('records several events in one call, all or none [feature:events]', async () => {
  const user = await people.owner()
  const events = [{ name: 'opened', metadata: { page: 'a' } }, { name: 'closed' }]
  expect((await call('POST', '/api/event', { token: user.token, body: { events } })).status).toBe(200)
  expect(await count(user.account_id)).toEqual({ count: 2 })
  const more = [...events, { name: 'not a name' }]
  expect((await call('POST', '/api/event', { token: user.token, body: { events: more } })).status).toBe(422)
  expect(await count(user.account_id)).toEqual({ count: 2 })
})

test('a user’s events are limited per day [T-81]', async () => {
  const strict = await makeTestApp({ RATE_LIMIT_FACTOR: '1' })
  strict.clock.freeze()
  const user = await strict.people.owner()
  const send = () => strict.call('POST', '/api/event', { token: user.token, body: { name: 'x' } })
  const statuses: number[] = []
  for (let n = 0; n < 201; n++) statuses.push((await send()).status)
  expect(statuses.filter(status => status === 200)).toHaveLength(200)
  expect(statuses.at(-1)).toBe(429)
})

test.each([
  ['none at all', { events: [] }],
  ['more at once than a call takes', { events: Array.from({ length: 21 }, () => ({ name: 'x' })) }],
  ['one and several', { name: 'x', events: [{ name: 'x' }] }],
  ['somebody else’s among several', { events: [{ name: 'x', user_id: 'y' }] }],
  ['a name with spaces', { name: 'not a name' }],
  ['a long name', { name: 'x'.repeat(51) }],
  ['no name', {}],
  ['metadata of four levels', { name: 'x', metadata: { a: { b: { c: { d: 1 } } } } }],
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

test('names the wrong field of a body that may have two shapes', async () => {
  const { token } = await people.owner()
  const one = { name: 'opened' }
  const refused = async (body: object) => (await call('POST', '/api/event', { token, body })).body
  expect(await refused({ ...one, events: [one] })).toEqual({
    code: 'invalid_input',
    inputError: 'events',
    message: 'Send either “events” or “name”, not both',
  })
  expect(await refused({ metadata: {}, events: [one] })).toMatchObject({ inputError: 'events' })
  expect(await refused({ events: [one], user_id: 'x' })).toMatchObject({
    code: 'unknown_field',
    inputError: 'user_id',
  })
  expect(await refused({ ...one, events: [one], user_id: 'x' })).toMatchObject({ inputError: 'user_id' })
})

test('refuses a signed-out visitor', async () => {
  expect((await call('POST', '/api/event', { body: { name: 'x' } })).status).toBe(401)
})

test('stores nothing for a user with an unverified address [T-81]', async () => {
  const user = await people.signUp()
  const answer = await call('POST', '/api/event', { token: user.token, body: { name: 'x' } })
  expect(answer).toMatchObject({ status: 403, body: { code: 'verification_required' } })
  expect(await count(user.account_id)).toEqual({ count: 0 })
})
