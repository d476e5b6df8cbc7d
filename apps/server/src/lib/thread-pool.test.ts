import { availableParallelism, getPriority } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ownEnv, startServer } from '../../test/process.ts'
import { hashPassword, passwordFits } from './passwords.ts'
import { poolThreads } from './thread-pool.ts'

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

describe.runIf(process.platform === 'linux')('a server’s pool', async () => {
  const own = await ownEnv()

  test('has a thread for each core', async () => {
    const { url, pid, stop } = await startServer(own)
    onTestFinished(async () => void (await stop()))
    const guess = { email: 'nobody@example.com', password: 'a-good-password-1' }
    const answer = await fetch(`${url}/api/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(guess),
    })
    expect(await answer.json()).toMatchObject({ code: 'credentials_wrong' })
    expect(poolThreads(pid)).toHaveLength(Math.max(2, availableParallelism()))
  })
})
