import { expect, test } from 'vitest'
import { apiKeyHelpers } from '../../../test/factories/api-keys.ts'
import { makeTestApp } from '../../../test/harness.ts'
import { rateLimits } from '../../rate-limit/limits.ts'

const harness = await makeTestApp({ RATE_LIMIT_FACTOR: '1' })
const { call, people } = harness
const { make, byKey } = apiKeyHelpers(harness)

test('T-79 a key over its limit gets 429 with Retry-After; its maker and other keys do not', async () => {
  const user = await people.owner()
  const key = await make(user)
  const { points } = rateLimits['calls:key']
  let answer = await byKey(key)
  let calls = 1
  while (answer.status === 200 && calls <= points) {
    answer = await byKey(key)
    calls++
  }
  expect([answer.status, calls]).toEqual([429, points + 1])
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect((await call('GET', '/api/key', { token: user.token })).status).toBe(200)
  expect((await byKey(await make(await people.owner()))).status).toBe(200)
})
