import { expect, it } from 'vitest'
import { makeDeadline, requestMs } from './deadline.ts'

it('all calls of a request share less than ten seconds, separately from other requests', async () => {
  let now = 0
  const { withRequestDeadline, remainingTime } = makeDeadline(() => now)
  expect(requestMs).toBeLessThan(10_000)
  const asked = withRequestDeadline(async () => {
    expect(remainingTime(8000)).toBe(8000)
    now = 5000
    await Promise.resolve()
    expect(remainingTime(8000)).toBe(requestMs - 5000)
    await forOther
    now = requestMs + 1
    expect(remainingTime(8000)).toBeLessThanOrEqual(0)
  })
  const forOther = withRequestDeadline(async () => expect(remainingTime(8000)).toBe(8000))
  await asked
  expect(remainingTime(8000)).toBe(8000)
})
