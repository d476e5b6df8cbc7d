import { createRequire } from 'node:module'
import type { hash as Hash, verify as Verify } from '@node-rs/argon2'
import { afterAll } from 'vitest'
import { dummyHash } from '../../src/lib/passwords.ts'

/**
 * Stands before the real argon2 in the server's tests (vitest.config.ts says so) and lets each hash cost a thousandth:
 * thousands of them were a third of the suite. The real parameters are proven in src/lib/passwords.test.ts and used
 * by every test that starts the server as a process of its own.
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

// What a hash costs stands in it, so only the one that is nobody's must be made cheaper.
export const verify: typeof Verify = async (stored, password, options, signal) => {
  verifications++
  most = Math.max(most, ++running)
  const known = full || stored !== dummyHash ? stored : cheapDecoy
  return real.verify(known, password, options, signal).finally(() => running--)
}

/** How many passwords have been held against a hash. */
export const countVerifications = () => verifications

/** How many ran beside each other at most while something was done. */
export async function mostAtOnce(work: () => Promise<unknown>): Promise<number> {
  most = running
  await work()
  return most
}

/** From here to the end of the test file a hash costs what it does in production. */
export function useFullCost() {
  full = true
  afterAll(() => {
    full = false
  })
}
