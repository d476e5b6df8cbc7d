import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { makeApp } from './app.ts'
import { banner } from './banner.ts'
import { ConfigError, parseConfig } from './config.ts'
import { FolderInUse } from './db/lock.ts'
import { assertOutsideTransaction, openDb } from './db/open.ts'
import { seedDemo } from './db/seed.ts'
import { startBilling } from './features/billing/start.ts'
import { openQueue } from './jobs/queue.ts'
import { armFault } from './lib/faults.ts'
import { giveBackMemory } from './lib/memory.ts'
import { makeLog } from './log.ts'
import { openMail } from './outside/mail.ts'
import { startWorkers } from './workers.ts'
import { makeWorld } from './world.ts'

/** Read config, open database and outside, build the app, listen, drain, close. */
async function main() {
  const config = parseConfig(process.env)
  armFault(config.fault)
  const log = makeLog(config.logLevel)
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
    dataDir: config.dataDir,
    poolSize: config.databasePool,
    // An embedded engine that failed once can't be trusted with another query: end, and let the supervisor restart.
    onFatal: error => stopNow(error, 'the embedded database stopped'),
  })
  const queue = openQueue(db, log, { workers: config.role !== 'web' })
  const world = makeWorld({ config, db, queue, log })
  const readiness = { draining: false }
  const app = await makeApp({ world, db, readiness })
  if (config.role !== 'worker') await app.listen({ port: config.port, host: config.host })

  // The queue is not needed for the first page; whoever sends a job waits for it.
  await queue.start()
  const demo = config.seedDemo ? await seedDemo(world) : []
  const mailer = openMail({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    supportEmail: config.supportEmail,
    log,
    guard: () => assertOutsideTransaction('the mail server'),
  })
  await startBilling(world, { alone: db.embedded !== null })
  await startWorkers(queue, world, mailer)
  console.log(banner(config, demo))
  setTimeout(giveBackMemory, 2000).unref()

  const drain = async (signal: string) => {
    if (readiness.draining) process.exit(1)
    readiness.draining = true
    log.info({ signal }, 'draining')
    setTimeout(() => process.exit(1), 30_000).unref()
    // Balancers ask /ready every few seconds: keep serving until they have heard the no.
    if (config.env === 'production') await wait(5000)
    await app.close()
    await queue.stop()
    mailer.close()
    await db.close()
    process.exit(0)
  }
  process.on('SIGTERM', signal => void drain(signal))
  process.on('SIGINT', signal => void drain(signal))
  // Started by the launcher: end with it, even when it is killed without a word.
  if (process.send) void once(process, 'disconnect').then(() => drain('disconnect'))
}

main().catch(error => {
  if (error instanceof ConfigError || error instanceof FolderInUse)
    console.error(`\nPlinth can't start.\n${error.message}\n`)
  else if (error?.code === 'EADDRINUSE')
    console.error(
      `\nPlinth can't start.\nPORT: ${error.port} is taken on ${error.address}. Stop what listens there, or choose another one.\n`,
    )
  else console.error(error)
  process.exit(1)
})
