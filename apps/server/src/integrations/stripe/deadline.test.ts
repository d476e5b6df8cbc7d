import { expect, it } from 'vitest'
import { answerMs, makeDeadline } from './deadline.ts'

it('what one visitor waits for shares less than ten seconds; whoever else asks has a time of their own', async () => {
  let now = 0
  const { forVisitor, timeFor } = makeDeadline(() => now)
  expect(answerMs).toBeLessThan(10_000)
  const asked = forVisitor(async () => {
    expect(timeFor(8000)).toBe(8000)
    now = 5000
    await Promise.resolve()
    expect(timeFor(8000)).toBe(answerMs - 5000)
    await forOther
    now = answerMs + 1
    expect(timeFor(8000)).toBeLessThanOrEqual(0)
  })
  const forOther = forVisitor(async () => expect(timeFor(8000)).toBe(8000))
  await asked
  expect(timeFor(8000)).toBe(8000)
})
