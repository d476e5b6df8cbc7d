import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import { makeApp } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import type { Services } from '../../src/context.ts'
import type { Db } from '../../src/db/pool.ts'
import { assertOutsideTransaction } from '../../src/db/transaction.ts'
import { openMail } from '../../src/integrations/mail/mailer.ts'
import { openPayments } from '../../src/integrations/stripe/payments.ts'
import type { JobName, Jobs, Queue } from '../../src/jobs/queue.ts'
import { openQueue } from '../../src/jobs/queue.ts'
import { makeLog } from '../../src/log.ts'
import { makeServices } from '../../src/services.ts'
import { startWorkers } from '../../src/workers.ts'
import { apiCaller, type createTestDatabase, openTestDb } from '../harness.ts'

/** One run of a process, from its start to its end. */
type Run = { dead: boolean; left: number; died: Promise<'killed'>; die: () => void }
class Killed extends Error {}

const current = new AsyncLocalStorage<Run>()
const never = () => new Promise<never>(() => {})

function newRun(): Run {
  const { promise, resolve } = Promise.withResolvers<'killed'>()
  return { dead: false, left: Number.POSITIVE_INFINITY, died: promise, die: () => resolve('killed') }
}

/** Counts calls of the database and the provider; kills the process at the given one. */
function countCall() {
  const run = current.getStore()
  if (!run) return
  if (!run.dead && run.left-- > 0) return
  run.dead = true
  run.die()
  throw new Killed()
}

/**
 * Services that can be killed: before a transaction, before its commit, before a call of the provider.
 * Afterwards nothing the process does has an effect; its callers wait forever.
 */
function killable(services: Services): Services {
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      countCall()
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
      countCall()
      return result
    }
  return {
    ...services,
    withinAccount: (account, run) => alive(() => services.withinAccount(account, committed(run))),
    asSystem: (reason, run) => alive(() => services.asSystem(reason, committed(run))),
  }
}

const shortTimeoutMs = 400

export type Handlers = Map<JobName, (data: never) => Promise<void>>
/** Registers the handlers and schedules without starting workers. */
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

/** A server and its worker in this process, on a shared database. */
export async function startProcess(parts: {
  config: Config
  database: Awaited<ReturnType<typeof createTestDatabase>>
  /** The other process's connection on the embedded database, which only one program can open. */
  shared: Db | null
  now: () => Date
}) {
  const { config, database, shared, now } = parts
  const log = makeLog(config.logLevel)
  const db = shared ?? (await openTestDb(database, 5))
  const queue = openQueue(db, log, { workers: false })
  const guard = () => {
    assertOutsideTransaction('the payment provider')
    countCall()
  }
  const made = makeServices({ config, db, queue, log, now })
  const payments = openPayments({ ...config.payments, guard })
  const impatient = openPayments({ ...config.payments, guard, timeoutMs: shortTimeoutMs })
  const services = killable({ ...made, integrations: { ...made.integrations, payments } })
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
    /** Switches to a timeout that is short enough for a test. */
    useShortTimeout(on: boolean) {
      services.integrations.payments = on ? impatient : payments
    },
    /** Runs work that is killed at its `dies`th call; a killed process is restarted. */
    async runKillable<T>(work: () => Promise<T>, dies = Number.POSITIVE_INFINITY): Promise<T | 'killed'> {
      run.left = dies
      const mine = run
      const result = await Promise.race([current.run(mine, work), mine.died])
      if (mine.dead) {
        run = newRun()
        services.integrations.payments.clearPriceCache()
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
