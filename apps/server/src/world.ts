import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { World } from './context.ts'
import { assertOutsideTransaction, type Db, transaction } from './db/open.ts'
import type { Queue } from './jobs/queue.ts'
import { makeSealer } from './lib/crypto.ts'
import { newId } from './lib/ids.ts'
import { openPayments } from './outside/payments.ts'

/** Everything a service is handed, put together once. */
export function makeWorld(parts: {
  config: Config
  db: Db
  queue: Queue
  log: Logger
  now?: () => Date
}): World {
  const { config, db, queue, log } = parts
  const sealer = makeSealer(config.secrets)
  return {
    config,
    now: parts.now ?? (() => new Date()),
    log,
    sealer,
    // A transaction may send a job. It waits for the queue's start before it begins: once begun it would hold the
    // embedded database's only connection, which that start needs.
    async withinAccount(account, run) {
      await queue.started
      return transaction(db, { account }, run)
    },
    async asSystem(reason, run) {
      await queue.started
      log.debug({ reason }, 'as system')
      return transaction(db, 'system', run)
    },
    enqueue: queue.enqueue,
    async enqueueMail(tx, mail, { expiresAt } = {}) {
      const id = newId()
      // The links in a mail are secrets: sealed, so that a look at the job table gives none away.
      await queue.enqueue(tx, 'mail.send', {
        id,
        sealed: sealer.seal(JSON.stringify(mail), `mail ${id}`),
        ...(expiresAt ? { expires_at: expiresAt.toISOString() } : {}),
      })
    },
    outside: {
      payments: openPayments({
        ...config.payments,
        guard: () => assertOutsideTransaction('the payment provider'),
      }),
    },
  }
}
