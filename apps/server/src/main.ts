import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { makeApp } from './app.ts'
import { banner } from './banner.ts'
import { ConfigError, parseConfig } from './config.ts'
import { FolderInUse } from './db/embedded/folder-lock.ts'
import { openDb } from './db/pool.ts'
import { seedDemo } from './db/seed.ts'
import { assertOutsideTransaction } from './db/transaction.ts'
import { sealedColumns } from './encrypted-columns.ts'
import { bootstrapBilling } from './features/billing/bootstrap.ts'
import { openMail } from './integrations/mail/mailer.ts'
import { openQueue } from './jobs/queue.ts'
import { requireSecrets } from './jobs/reseal.ts'
import { armCrashPoint } from './lib/crash-points.ts'
import { closeOutput, makeLog, openOutput } from './log.ts'
import { freeStartMemory } from './runtime/memory.ts'
import { setThreadPoolSize } from './runtime/thread-pool.ts'
import { closer } from './server/graceful-shutdown.ts'
import { whyNotListening } from './server/listen-errors.ts'
import { makeServices } from './services.ts'
import { startWorkers } from './workers.ts'

/** Read config, open the database and the integrations, build the app, listen, drain, close. */
async function main() {
  setThreadPoolSize()
  const config = parseConfig(process.env)
  armCrashPoint(config.fault)
  const output = openOutput()
  const log = makeLog(config.logLevel, output)
  const stopNow = (error: Error, what: string) => {
    log.fatal({ err: error }, what)
    process.exit(1)
  }
  process.on('uncaughtException', error => stopNow(error, 'uncaught'))
  process.on('unhandledRejection', error =>
    stopNow(error instanceof Error ? error : new Error(String(error)), 'unhandled'),
  )

  const db = await openDb({
    databaseUrl: config.databaseUrl,
    migrationUrl: config.migrationDatabaseUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePool,
    onWait: message => log.warn(message),
    // An embedded engine that failed once can't be trusted with another query: end, and let the supervisor restart.
    onFatal: error => stopNow(error, 'the embedded database stopped'),
  })
  const queue = openQueue(db, log, { workers: config.role !== 'web' })
  const services = makeServices({ config, db, queue, log })
  await requireSecrets(db, services.encrypter, sealedColumns)
  const begun = services.now()
  const readiness = { draining: false }
  const app = await makeApp({ services, db, readiness })
  const closeApp = closer(app)
  if (config.role !== 'worker')
    await app.listen({ port: config.port, host: config.host }).catch(error => {
      throw whyNotListening(error)
    })

  // The first page does not need the queue; code that sends a job waits for it.
  await queue.start()
  const demo = config.seedDemo ? await seedDemo(services, begun) : []
  const mailer = openMail({
    smtpUrl: config.smtpUrl,
    requireTls: config.smtpRequiresTls,
    from: config.mailFrom,
    supportEmail: config.supportEmail,
    log,
    guard: () => assertOutsideTransaction('the mail server'),
  })
  await bootstrapBilling(services, { alone: db.embedded !== null, demo: demo.map(({ email }) => email) })
  await startWorkers(queue, services, mailer)
  // In production stdout holds JSON lines alone.
  if (config.env === 'production') log.info({ url: config.publicUrl, role: config.role }, 'Plinth is ready')
  else console.log(banner(config, demo))
  // Without this, a killed process leaves no compile cache and starts slowly again.
  flushCompileCache()
  setTimeout(freeStartMemory, 2000).unref()

  const drain = async (signal: string) => {
    if (readiness.draining) process.exit(1)
    readiness.draining = true
    log.info({ signal }, 'draining')
    setTimeout(() => process.exit(1), 30_000).unref()
    // The parts fit into the 30 seconds: 15 for requests, 10 for jobs, 3 for the database, 1 for the log.
    const balancers = config.env === 'production' ? 5000 : 0
    // They ask /ready every few seconds: keep serving until they have heard the no.
    await wait(balancers)
    await closeApp(15_000 - balancers)
    log.info('requests ended')
    await queue.stop()
    mailer.close()
    log.info('jobs ended')
    const closed = await Promise.race([db.close().then(() => true), wait(3000, false, { ref: false })])
    if (closed) {
      log.info('database closed')
      await closeOutput(output)
    }
    process.exit(closed ? 0 : 1)
  }
  process.on('SIGTERM', signal => void drain(signal))
  process.on('SIGINT', signal => void drain(signal))
  // Started by the launcher: end with it, even when it is killed without a word.
  if (process.send) void once(process, 'disconnect').then(() => readiness.draining || drain('disconnect'))
}

main().catch(error => {
  if (error instanceof ConfigError || error instanceof FolderInUse)
    console.error(`\nPlinth can't start.\n${error.message}\n`)
  else console.error(error)
  process.exit(1)
})
