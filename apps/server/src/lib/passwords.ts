import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { isBusy } from '../runtime/load.ts'
import { Refusal } from './refusal.ts'

/** argon2id (the library's default) with OWASP's parameters: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Verified for unknown addresses, so that they take the same time as known ones. */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$wYbKxkBqZ0d1l1TtV7k0Rg$3a2oJqZ6HnUpwS2yT1K0oWmtQ4hmH1G9kFfJrbm0q2c'

/** At most one hash for each core at a time; a full queue refuses calls. */
const cores = availableParallelism()
/** One core is left free while signed-in users call: a hash takes a core for tens of milliseconds. */
const maxRunning = () => (isBusy() ? Math.max(1, cores - 1) : cores)
const maxQueued = 200
/** Shorter than the deadline of a call (lib/deadline.ts). */
const maxWaitMs = 10_000
let reserved = 0
let running = 0
const waiting: (() => void)[] = []

/** Whether a password matches a stored hash; false, in the same time, without a hash. */
export type VerifyPassword = (stored: string | null, password: string) => Promise<boolean>

/**
 * Reserves a place in the queue while `run` works, and refuses when the queue is full: before any query. A hash that
 * waited too long is refused, too.
 */
export async function withHashSlot<T>(run: (fits: VerifyPassword) => Promise<T>): Promise<T> {
  if (reserved >= cores + maxQueued) throw new Refusal('busy', { retryAfter: 2 })
  reserved++
  const until = performance.now() + maxWaitMs
  try {
    return await run((stored, password) =>
      runQueued(until, async () => (await verify(stored ?? dummyHash, password)) && stored !== null),
    )
  } finally {
    reserved--
  }
}

async function runQueued<T>(until: number, work: () => Promise<T>): Promise<T> {
  await new Promise<void>(begin => {
    waiting.push(begin)
    startWaiting()
  })
  try {
    if (performance.now() > until) throw new Refusal('busy', { retryAfter: 2 })
    return await work()
  } finally {
    running--
    startWaiting()
  }
}

/** Starts as many waiting hashes as may run now. */
function startWaiting() {
  while (running < maxRunning()) {
    const next = waiting.shift()
    if (!next) return
    running++
    next()
  }
}

export const hashPassword = (password: string) =>
  withHashSlot(() => runQueued(performance.now() + maxWaitMs, () => hash(password, options)))

export const passwordFits: VerifyPassword = (stored, password) => withHashSlot(fits => fits(stored, password))
