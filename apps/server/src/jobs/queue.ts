import { CompiledQuery } from 'kysely'
import { type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { withRoles } from '../db/roles.ts'
import type { Tx } from '../db/transaction.ts'
import { preparedAs } from '../runtime/prepared.ts'

/** Every job with its payload. Work that must follow a commit is enqueued in its transaction. */
export type Jobs = {
  /** A mail, sealed because its links are secrets. */
  'mail.send': { sealed: string; id: string /** A dead link is not sent (F-07). */; expires_at?: string }
  /** Makes and mails a link if the address has a user; sealed, because it says who asked for what. */
  'auth.mail_link': { id: string; sealed: string }
  /** Tells a user of a sign-in on a device that is new to them. */
  'sessions.new_device': { session_id: string }
  /** Warns the owner of an address about password guessing. Encrypted, because it contains the address. */
  'auth.warn_owner': { id: string; sealed: string }
  /** Looks after a payment that may have been cut off half way. */
  'billing.settle': { account_id: string; attempt_id: string }
  /** A message of the payment provider that waits to be handled. */
  'billing.webhook': { webhook_id: string }
  /** Cancels subscriptions and removes the customer of a closed account at the payment provider. */
  'billing.close': { account_id: string }
  /** Gives back a payment that brought no plan; the amount in minor units. */
  'billing.refund': { account_id: string; payment_id: string; amount: number; currency: string }
  /** Carries seats and usage that have changed to the payment provider. */
  'billing.sync_seats_and_usage': Record<string, never>
  /** Compares the accounts after one with the payment provider; null begins with the first. */
  'billing.reconcile': { after: string; repaired: Record<string, number> } | null
  /** Removes files without an owner. */
  'files.clear': Record<string, never>
  /** Deletes expired tokens, sessions and stored replies. */
  'upkeep.sweep': Record<string, never>
  /** Seals again what lies under an earlier secret. */
  'secrets.reseal': Record<string, never>
}
export type JobName = keyof Jobs

/** The longest wait between two tries: what waits for a part that was down goes within a minute of its return (F-07). */
const longestWaitSeconds = 45
/** Tries enough for a day. */
const forADay = Math.ceil(86_400 / longestWaitSeconds)

/**
 * How often each kind is tried, and how many may wait under one key: `short`, one queued beside the one that runs;
 * `exclusive`, one in all.
 */
const kinds: Record<JobName, { retryLimit: number; policy: 'standard' | 'short' | 'exclusive' }> = {
  'mail.send': { retryLimit: forADay, policy: 'standard' },
  // Half an hour: after that no link is waited for.
  'auth.mail_link': { retryLimit: Math.ceil(1800 / longestWaitSeconds), policy: 'standard' },
  'sessions.new_device': { retryLimit: forADay, policy: 'standard' },
  'auth.warn_owner': { retryLimit: forADay, policy: 'standard' },
  'billing.settle': { retryLimit: forADay, policy: 'short' },
  'billing.webhook': { retryLimit: forADay, policy: 'exclusive' },
  'billing.close': { retryLimit: forADay, policy: 'short' },
  // A refund: retried for two weeks.
  'billing.refund': { retryLimit: 14 * forADay, policy: 'exclusive' },
  // The next minute's run does what this one could not.
  'billing.sync_seats_and_usage': { retryLimit: 0, policy: 'exclusive' },
  'billing.reconcile': { retryLimit: forADay, policy: 'short' },
  'files.clear': { retryLimit: forADay, policy: 'short' },
  // The next hour's run does what this one could not.
  'upkeep.sweep': { retryLimit: 5, policy: 'standard' },
  'secrets.reseal': { retryLimit: 5, policy: 'short' },
}
const names = Object.keys(kinds) as JobName[] // as: keys of the record above

/**
 * How soon a job goes on after its process died: the queue notices missing heartbeats, at the latest in the second of
 * its passes, because one that another process has just made is skipped. The waits below stay under two minutes.
 */
export const recovery = {
  heartbeatSeconds: 30,
  passSeconds: 15,
}

const pace = {
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: longestWaitSeconds,
  heartbeatSeconds: recovery.heartbeatSeconds,
  expireInSeconds: 120,
  deleteAfterSeconds: 86_400,
}

/**
 * A call sends jobs and gets their ids; what others have sent, it can't read. One process at a time: PostgreSQL fails
 * when two change the grants of a table at the same moment. The revoke takes back what earlier versions gave.
 */
const leastGrants = `
select pg_advisory_xact_lock(7209115);
revoke all on all tables in schema pgboss from plinth_app;
grant insert, select (id) on pgboss.job, pgboss.job_common to plinth_app;
grant select on pgboss.queue to plinth_app;
grant execute on function pgboss.job_now() to plinth_app`

/** The id of no job. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** Jobs of one kind that one process works on at the same time. */
const atOnce = 5

export type Queue = {
  /** Sends a job in the caller's transaction: it exists when, and only when, the change does. */
  enqueue<N extends JobName>(
    tx: Tx,
    name: N,
    data: Jobs[N],
    options?: {
      afterSeconds?: number /** What there is to be one job for, by the policy of its kind. */
      key?: string
    },
  ): Promise<void>
  /**
   * Looks at once for what the transaction sent; to be called when it is committed. A look that is missed costs
   * nothing but the wait for the next: workers also ask by the clock, and those of other processes do only that.
   */
  wake(tx: Tx): void
  work<N extends JobName>(name: N, handle: (data: Jobs[N]) => Promise<void>): Promise<void>
  schedule(name: JobName, cron: string): Promise<void>
  start(): Promise<void>
  /** Settles with the first start. */
  started: Promise<void>
  stop(): Promise<void>
}

/**
 * pg-boss on the application's own database. At least once: a handler may run again after a crash, so every effect
 * carries its own key.
 * @param workers false in a process that only serves the web: it sends and never fetches
 * @param byTheClock false where nothing is to begin by itself: in a test, which would find its work done at the full minute
 */
export function openQueue(
  db: Db,
  log: Logger,
  options: { workers: boolean; byTheClock?: boolean; pollingSeconds?: number; passSeconds?: number },
): Queue {
  const isByTheClock = options.workers && (options.byTheClock ?? true)
  const boss = new PgBoss({
    db: { executeSql: db.asOwnerOfJobs },
    backend: db.embedded ? 'pglite' : 'postgres',
    schema: 'pgboss',
    // Migrations make the schema: the role that pg-boss runs as may not.
    createSchema: false,
    supervise: options.workers,
    superviseIntervalSeconds: options.passSeconds ?? recovery.passSeconds,
    monitorIntervalSeconds: options.passSeconds ?? recovery.passSeconds,
    schedule: isByTheClock,
    // Our adapter runs each statement under a role; REINDEX CONCURRENTLY is left to the database's owner.
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', error => log.error({ err: error }, 'job queue'))
  const started = Promise.withResolvers<void>()
  // A send that waits for the start must not turn a failed start into an unhandled rejection.
  started.promise.catch(() => {})

  // To plan a send takes as long as to do it. Its text is one for each kind; another one would go as it is.
  const sends = new Map<JobName, string>()
  const plannedOnce = (name: JobName, text: string) => {
    if (!sends.has(name)) sends.set(name, text)
    return sends.get(name) === text ? preparedAs(`send/${name.replace('.', '/')}`, text) : text
  }
  const workerOf = new Map<JobName, string>()
  const sentIn = new WeakMap<Tx, Set<JobName>>()

  return {
    started: started.promise,
    async enqueue(tx, name, data, { afterSeconds, key } = {}) {
      if (!afterSeconds) sentIn.set(tx, (sentIn.get(tx) ?? new Set()).add(name))
      await boss.send(name, data, {
        db: {
          executeSql: async (text, values) => ({
            rows: (await tx.executeQuery(CompiledQuery.raw(plannedOnce(name, text), values))).rows,
          }),
        },
        ...(afterSeconds ? { startAfter: afterSeconds } : {}),
        ...(key ? { singletonKey: key } : {}),
      })
    },
    wake(tx) {
      for (const name of sentIn.get(tx) ?? []) {
        const worker = workerOf.get(name)
        if (worker) boss.notifyWorker(worker)
      }
    },
    async work(name, handle) {
      if (!options.workers) return
      const run = async (job: JobWithMetadata<never>) => {
        try {
          await handle(job.data)
          return { id: job.id, status: 'completed' as const }
        } catch (error) {
          const failed = { err: error, job: name, id: job.id }
          if (job.retryCount >= job.retryLimit) log.error(failed, 'job failed for the last time')
          else log.warn(failed, 'job failed, to be tried again')
          return { id: job.id, status: 'failed' as const, output: { message: String(error) } }
        }
      }
      const worker = await boss.work(
        name,
        // A full batch means that there is more: the next is fetched at once, not at the next look. Each job of a
        // batch ends on its own, so that one failure does not repeat the others.
        {
          pollingIntervalSeconds: options.pollingSeconds ?? 1,
          batchSize: atOnce,
          burstWhenBatchFull: true,
          perJobResults: true,
          includeMetadata: true,
        },
        (jobs: JobWithMetadata<never>[]) => Promise.all(jobs.map(run)),
      )
      workerOf.set(name, worker)
    },
    async schedule(name, cron) {
      if (isByTheClock) await boss.schedule(name, cron)
    },
    async start() {
      try {
        await boss.start()
        const known = new Map((await boss.getQueues()).map(queue => [queue.name, queue]))
        for (const name of names) {
          const { policy, retryLimit } = kinds[name]
          const tries = { ...pace, retryLimit }
          const queue = known.get(name)
          if (!queue) await boss.createQueue(name, { ...tries, policy })
          else if (
            queue.retryLimit !== retryLimit ||
            queue.retryDelayMax !== longestWaitSeconds ||
            queue.heartbeatSeconds !== recovery.heartbeatSeconds
          )
            await boss.updateQueue(name, tries)
          // What pg-boss read as it started may lack a queue: one made or changed since, by us or by another server.
          // It reads that one when it is first used, on a connection of its own, which a send in a transaction can't
          // wait for: the transaction may hold the only one. So each is used here.
          await boss.cancel(name, nobody)
        }
        await db.asOwnerOfJobs(withRoles(leastGrants, db.roles))
        started.resolve()
      } catch (error) {
        started.reject(error)
        throw error
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}
