import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import { makeApp } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import type { Services } from '../../src/context.ts'
import { assertOutsideTransaction, type Db } from '../../src/db/open.ts'
import { openMail } from '../../src/integrations/mail/mailer.ts'
import { openPayments } from '../../src/integrations/stripe/payments.ts'
import { type JobName, type Jobs, openQueue, type Queue } from '../../src/jobs/queue.ts'
import { makeLog } from '../../src/log.ts'
import { makeServices } from '../../src/services.ts'
import { startWorkers } from '../../src/workers.ts'
import { apiCaller, type createTestDatabase, openTestDb } from '../harness.ts'

/** The time from one start of a process to its end. */
type Run = { dead: boolean; left: number; died: Promise<'killed'>; die: () => void }
class Killed extends Error {}

const current = new AsyncLocalStorage<Run>()
const never = () => new Promise<never>(() => {})

function newRun(): Run {
  const { promise, resolve } = Promise.withResolvers<'killed'>()
  return { dead: false, left: Number.POSITIVE_INFINITY, died: promise, die: () => resolve('killed') }
}

/** Counts a look at the world outside the process. The last one it was given is the process's end. */
function look() {
  const run = current.getStore()
  if (!run) return
  if (!run.dead && run.left-- > 0) return
  run.dead = true
  run.die()
  throw new Killed()
}

/**
 * A world that a process may lose at any moment: before a transaction begins, before it is committed, before a call
 * of the provider. From then on nothing that the process still does reaches anything: what waits for it waits for ever.
 */
function mortal(services: Services): Services {
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      look()
      return await work()
    } catch (error) {
      if (error instanceof Killed) return never()
      throw error
    }
  }
  const committed =
    <A, T>(run: (tx: A) => Promise<T>) =>
    async (tx: A) => {
      const result = await run(tx)
      look()
      return result
    }
  return {
    ...services,
    withinAccount: (account, run) => alive(() => services.withinAccount(account, committed(run))),
    asSystem: (reason, run) => alive(() => services.asSystem(reason, committed(run))),
  }
}

const hastyMs = 400

export type Handlers = Map<JobName, (data: never) => Promise<void>>
/** Takes down who does which job, and which of them are done by the clock, instead of starting to. */
function registering(queue: Queue) {
  const handlers: Handlers = new Map()
  const scheduled: JobName[] = []
  const taking: Queue = {
    ...queue,
    async work<N extends JobName>(name: N, handle: (data: Jobs[N]) => Promise<void>) {
      handlers.set(name, handle as (data: never) => Promise<void>) // as: called with the data sent under this name
    },
    async schedule(name) {
      scheduled.push(name)
    },
  }
  return { taking, handlers, scheduled }
}

export type Process = Awaited<ReturnType<typeof startProcess>>

/** A server of the product and its worker, in this process, on a database that others use as well. */
export async function startProcess(parts: {
  config: Config
  database: Awaited<ReturnType<typeof createTestDatabase>>
  /** On the embedded database, which one program alone can have open, the other process's. */
  shared: Db | null
  now: () => Date
}) {
  const { config, database, shared, now } = parts
  const log = makeLog(config.logLevel)
  const db = shared ?? (await openTestDb(database, 5))
  const queue = openQueue(db, log, { workers: false })
  const guard = () => {
    assertOutsideTransaction('the payment provider')
    look()
  }
  const made = makeServices({ config, db, queue, log, now })
  const payments = openPayments({ ...config.payments, guard })
  const hasty = openPayments({ ...config.payments, guard, timeoutMs: hastyMs })
  const services = mortal({ ...made, outside: { ...made.outside, payments } })
  const app: FastifyInstance = await makeApp({ services, db, readiness: { draining: false } })
  const mailer = openMail({ ...config, from: config.mailFrom, log })
  await queue.start()
  const { taking, handlers, scheduled } = registering(queue)
  await startWorkers(taking, services, mailer)
  const call = apiCaller(app)
  let run = newRun()

  return {
    db,
    services,
    handlers,
    scheduled,
    call,
    /** The process waits for the provider for so short a time that a test can wait it out, or as long as it does. */
    hurry(on: boolean) {
      services.outside.payments = on ? hasty : payments
    },
    /** Does something in the process, which is killed at its `dies`th look; a process that was killed is started again. */
    async doing<T>(work: () => Promise<T>, dies = Number.POSITIVE_INFINITY): Promise<T | 'killed'> {
      run.left = dies
      const mine = run
      const result = await Promise.race([current.run(mine, work), mine.died])
      if (mine.dead) {
        run = newRun()
        services.outside.payments.clearPriceCache()
        return 'killed'
      }
      return result
    },
    async close() {
      await app.close()
      mailer.close()
      await queue.stop()
      if (!shared) await db.close()
    },
  }
}
