import { createRequire } from 'node:module'
import type { hash as Hash, verify as Verify } from '@node-rs/argon2'
import { afterAll } from 'vitest'
import { dummyHash } from '../../src/lib/passwords.ts'

/**
 * Replaces argon2 in the server's tests (see vitest.config.ts) and makes each hash a thousand times cheaper; real hashes
 * would take a third of the suite's time. passwords.test.ts and tests that start a server process use the real cost.
 */
const real: { hash: typeof Hash; verify: typeof Verify } = createRequire(import.meta.url)('@node-rs/argon2')

const cheap = { memoryCost: 64, timeCost: 1, parallelism: 1 }
const cheapDecoy = await real.hash('nobody’s', cheap)
let full = false
let verifications = 0
let running = 0
let most = 0

export const hash: typeof Hash = (password, options, signal) =>
  real.hash(password, full ? options : { ...options, ...cheap }, signal)

// A stored hash contains its cost, so only the dummy hash must be replaced.
export const verify: typeof Verify = async (stored, password, options, signal) => {
  verifications++
  most = Math.max(most, ++running)
  const known = full || stored !== dummyHash ? stored : cheapDecoy
  return real.verify(known, password, options, signal).finally(() => running--)
}

/** Number of password verifications so far. */
export const countVerifications = () => verifications

/** Maximum number of parallel verifications during `work`. */
export async function mostAtOnce(work: () => Promise<unknown>): Promise<number> {
  most = running
  await work()
  return most
}

/** Uses the production cost until the end of the test file. */
export function useFullCost() {
  full = true
  afterAll(() => {
    full = false
  })
}
