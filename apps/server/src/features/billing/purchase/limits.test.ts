import { expect, test } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'

const { call, people } = await makeTestApp({ RATE_LIMIT_FACTOR: '1' })

test('120 price previews leave every call that cancels, pays or changes the card its own limit', async () => {
  const { token } = await people.owner()
  const preview = () => call('GET', '/api/account/plan/preview?plan=none', { token })
  for (let n = 0; n < 120; n++) expect((await preview()).status).toBe(422)
  expect((await preview()).status).toBe(429)
  expect((await call('PATCH', '/api/account/plan', { token, body: { plan: 'free' } })).status).toBe(200)
  expect((await call('PATCH', '/api/account/card', { token, body: {} })).status).not.toBe(429)
  expect((await call('GET', '/api/account/subscription', { token })).status).toBe(200)
})

test('30 calls that may try a card end in a 429 for all of them, not for previews', async () => {
  const { token } = await people.owner()
  const change = () => call('PATCH', '/api/account/plan', { token, body: { plan: 'none' } })
  // The owner’s first choice of a plan was one of the 30.
  for (let n = 0; n < 29; n++) expect((await change()).status).toBe(422)
  expect((await change()).status).toBe(429)
  expect((await call('PATCH', '/api/account/card', { token, body: {} })).status).toBe(429)
  expect((await call('POST', '/api/account/upgrade', { token, body: {} })).status).toBe(429)
  expect((await call('POST', '/api/account/plan', { token, body: {} })).status).toBe(429)
  expect((await call('GET', '/api/account/plan/preview?plan=none', { token })).status).toBe(422)
})
