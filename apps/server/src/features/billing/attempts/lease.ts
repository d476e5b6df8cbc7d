import { setTimeout as pause } from 'node:timers/promises'
import type { Services, Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as attempts from '../core/attempt-store.ts'

type Attempt = attempts.Attempt

/** A lease is extended while its owner works, so the lease of a crashed process expires within seconds. */
const leaseMs = 10_000
const heartbeatMs = 3000
/** How long a second caller waits. Shorter than a request's deadline, to leave time for its own work. */
const waitMs = 7000
const pollMs = 150

export const leaseUntil = (now: Date) => new Date(now.getTime() + leaseMs)

/** Repeats a call while another process holds the lease. */
export async function retryUntilFree<T>(call: () => Promise<T | 'busy'>): Promise<T> {
  const until = performance.now() + waitMs
  for (;;) {
    const result = await call()
    if (result !== 'busy') return result
    if (performance.now() > until) throw new Refusal('operation_in_flight', { retryAfter: 5 })
    await pause(pollMs)
  }
}

/** Extends the lease while the work runs, and releases it afterwards. */
export async function withLease<T>(services: Services, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  let extending: Promise<unknown> = Promise.resolve()
  const heartbeat = setInterval(() => {
    // One failed heartbeat is harmless: the next one comes before the lease expires.
    extending = extending.then(() =>
      services.withinAccount(attempt.account_id, tx => extendLease(services, tx, attempt)).catch(() => {}),
    )
  }, heartbeatMs)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    // A heartbeat that still runs would take the lease again after its release.
    await extending
    await services.withinAccount(attempt.account_id, tx =>
      attempts.updateAttempt(tx, attempt, { busy_until: null, updated_at: services.now() }),
    )
  }
}

export async function extendLease(services: Services, tx: Tx, attempt: Attempt): Promise<Date> {
  const now = services.now()
  const busy_until = leaseUntil(now)
  await attempts.updateAttempt(tx, attempt, { busy_until, updated_at: now })
  return busy_until
}

export const isLeased = ({ busy_until }: Attempt, now: Date) => busy_until !== null && busy_until > now

/** Leases an open attempt without waiting. @returns null when it has ended */
export function leaseOpenAttempt(
  services: Services,
  { account_id, attempt_id }: { account_id: string; attempt_id: string },
): Promise<Attempt | 'busy' | null> {
  return services.withinAccount(account_id, async tx => {
    // The account may have been closed since the job was sent.
    if (!(await lockAccount(tx, account_id))) return null
    const open = await attempts.findAttempt(tx, account_id, attempt_id)
    if (!open || open.state === 'done' || open.state === 'failed') return null
    if (isLeased(open, services.now())) return 'busy'
    return { ...open, busy_until: await extendLease(services, tx, open) }
  })
}

/** Open attempts whose jobs one transaction sends. */
const batchSize = 200

/**
 * Sends a settle job for every open attempt after a start, because the earlier job may have died while it ran. The key
 * is another one than that of later checks, so that a waiting check does not swallow this job.
 * @param alone no other process uses this database, so every lease belongs to a dead process
 */
export async function requeueAttempts(services: Services, alone: boolean) {
  const why = 'attempts to pay that a stop cut off'
  if (alone) await services.asSystem(why, tx => attempts.releaseAllLeases(tx))
  for (let after: string | null = null; ; ) {
    const open: attempts.OpenAttempt[] = await services.asSystem(why, async tx => {
      const found = await attempts.findOpenAttempts(tx, { after, limit: batchSize })
      for (const { id, account_id } of found) {
        const data = { account_id, attempt_id: id }
        const afterSeconds = services.config.settleAfterSeconds
        await services.enqueue(tx, 'billing.settle', data, { afterSeconds, key: `start ${id}` })
      }
      return found
    })
    if (open.length < batchSize) return
    after = open.at(-1)?.id ?? null
  }
}
