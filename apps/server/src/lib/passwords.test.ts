import { availableParallelism } from 'node:os'
import { expect, test, vi } from 'vitest'
import { mostAtOnce, useFullCost } from '../../test/harness/fast-argon2.ts'
import { recordRequest } from '../runtime/load.ts'
import { dummyHash, hashPassword, passwordFits, withHashSlot } from './passwords.ts'

useFullCost()

/** argon2id with 19 MiB, two passes and one lane: OWASP's advice, and not a bit less. */
const strength = '$argon2id$v=19$m=19456,t=2,p=1$'

test('a stored password is as strong as promised, never the same twice, and the decoy costs as much [T-10]', async () => {
  const stored = await hashPassword('a-good-password-1')
  expect(stored.startsWith(strength)).toBe(true)
  expect(dummyHash.startsWith(strength)).toBe(true)
  expect(stored.length).toBe(dummyHash.length)
  expect(await hashPassword('a-good-password-1')).not.toBe(stored)
  expect(await passwordFits(stored, 'a-good-password-1')).toBe(true)
  expect(await passwordFits(stored, 'a-good-password-2')).toBe(false)
  expect(await passwordFits(null, 'a-good-password-1')).toBe(false)
})

test('a turn that comes too late is refused, and the queue goes on [T-12]', async () => {
  await withHashSlot(async fits => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 11_000)
    await expect(fits(null, 'a-good-password-1')).rejects.toMatchObject({ code: 'busy' })
    clock.mockRestore()
    expect(await fits(null, 'a-good-password-1')).toBe(false)
  })
  expect(await Promise.all(Array.from({ length: 5 }, () => passwordFits(null, 'x')))).not.toContain(true)
})

test('while people who are signed in are busy, hashing leaves them a core [T-12]', async () => {
  const cores = availableParallelism()
  const crowd = () =>
    mostAtOnce(() => Promise.all(Array.from({ length: 3 * cores }, () => passwordFits(null, 'x'))))
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000)
  recordRequest()
  expect(await crowd()).toBe(cores)
  recordRequest()
  expect(await crowd()).toBe(Math.max(1, cores - 1))
  clock.mockReturnValue(1_000_050)
  expect(await crowd()).toBe(cores)
  clock.mockRestore()
})
