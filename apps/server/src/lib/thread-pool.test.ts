import { getPriority } from 'node:os'
import { describe, expect, test } from 'vitest'
import { hashPassword, passwordFits } from './passwords.ts'
import { poolThreads } from './thread-pool.ts'

// How many threads a server has is looked at where one is under load: features/sign-in/password/password-load.test.ts.
describe.runIf(process.platform === 'linux')('hashing steps back', () => {
  test('its threads wait behind the main one, and passwords still fit [T-12]', async () => {
    // The pool starts with its first work; the second finds all its threads.
    const stored = await hashPassword('a-good-password-1')
    expect(await passwordFits(stored, 'a-good-password-1')).toBe(true)
    const priorities = poolThreads().map(thread => getPriority(Number(thread)))
    expect(priorities.length).toBeGreaterThan(0)
    expect(new Set(priorities)).toEqual(new Set([10]))
    expect(getPriority(process.pid)).toBeLessThan(10)
  })
})
