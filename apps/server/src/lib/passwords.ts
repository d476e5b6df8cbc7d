import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { isBusy } from './load.ts'
import { Refusal } from './refusal.ts'
import { lowerThreadPriority } from './thread-pool.ts'

/** argon2id (the library's default) with OWASP's parameters: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** A hash of nothing anyone typed: an unknown address costs the same time as a known one (T-10). */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$wYbKxkBqZ0d1l1TtV7k0Rg$3a2oJqZ6HnUpwS2yT1K0oWmtQ4hmH1G9kFfJrbm0q2c'

/** As many at once as there are cores, and a queue that says no before it eats the memory (T-12). */
const cores = availableParallelism()
/** One less while others want to be served: a hash holds its core for tens of milliseconds. */
const atOnce = () => (isBusy() ? Math.max(1, cores - 1) : cores)
const longestQueue = 200
/** Who waits longer than this has long pressed again, and the request itself would soon be given up (lib/deadline.ts). */
const patienceMs = 10_000
let present = 0
let running = 0
const waiting: (() => void)[] = []

/** Whether a password fits a stored hash. Without a hash it takes as long and answers no. */
export type VerifyPassword = (stored: string | null, password: string) => Promise<boolean>

/**
 * Runs something that hashes, with a place in the queue from its beginning to its end. Refuses when there is none:
 * before the database hears of it. A hash whose turn comes too late is refused too, not done for nobody.
 */
export async function withHashSlot<T>(run: (fits: VerifyPassword) => Promise<T>): Promise<T> {
  if (present >= cores + longestQueue) throw new Refusal('busy', { retryAfter: 2 })
  present++
  const until = performance.now() + patienceMs
  try {
    return await run((stored, password) =>
      runQueued(until, async () => (await verify(stored ?? dummyHash, password)) && stored !== null),
    )
  } finally {
    present--
  }
}

async function runQueued<T>(until: number, work: () => Promise<T>): Promise<T> {
  await new Promise<void>(begin => {
    waiting.push(begin)
    callNext()
  })
  try {
    if (performance.now() > until) throw new Refusal('busy', { retryAfter: 2 })
    const working = work()
    lowerThreadPriority()
    return await working
  } finally {
    running--
    callNext()
  }
}

/** Who comes and who ends calls as many as may run now: while one waits, another is always running. */
function callNext() {
  while (running < atOnce()) {
    const next = waiting.shift()
    if (!next) return
    running++
    next()
  }
}

export const hashPassword = (password: string) =>
  withHashSlot(() => runQueued(performance.now() + patienceMs, () => hash(password, options)))

export const passwordFits: VerifyPassword = (stored, password) => withHashSlot(fits => fits(stored, password))
