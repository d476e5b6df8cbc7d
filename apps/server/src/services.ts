import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Services } from './context.ts'
import type { Db } from './db/pool.ts'
import { type As, assertOutsideTransaction, type Tx, transaction } from './db/transaction.ts'
import { openDns } from './integrations/dns.ts'
import { openImages } from './integrations/images/images.ts'
import { openIdentityProviders } from './integrations/oauth/identity-providers.ts'
import { fetchMetadata } from './integrations/saml/saml.ts'
import { openStorage } from './integrations/storage/storage.ts'
import { openPayments } from './integrations/stripe/payments.ts'
import type { Queue } from './jobs/queue.ts'
import { makeEncrypter } from './lib/crypto.ts'
import { newId } from './lib/ids.ts'

/** Everything a service is handed, put together once. */
export function makeServices(parts: {
  config: Config
  db: Db
  queue: Queue
  log: Logger
  now?: () => Date
}): Services {
  const { config, db, queue, log } = parts
  const encrypter = makeEncrypter(config.secrets)
  return {
    config,
    now: parts.now ?? (() => new Date()),
    log,
    encrypter,
    // A transaction may send a job. It waits for the queue's start before it begins: once begun it would hold the
    // embedded database's only connection, which that start needs.
    async withinAccount(account, run, how) {
      await queue.started
      return waking(queue, db, { account, readOnlyList: how === 'readOnlyList' }, run)
    },
    async asSystem(reason, run) {
      await queue.started
      log.debug({ reason }, 'as system')
      return waking(queue, db, 'system', run)
    },
    withoutTransaction(run) {
      assertOutsideTransaction('a bare statement')
      return run(db.kysely)
    },
    enqueue: queue.enqueue,
    async enqueueMail(tx, mail, { expiresAt } = {}) {
      const id = newId()
      // The links in a mail are secrets: sealed, so that a look at the job table gives none away.
      await queue.enqueue(tx, 'mail.send', {
        id,
        sealed: encrypter.encrypt(JSON.stringify(mail), `mail ${id}`),
        ...(expiresAt ? { expires_at: expiresAt.toISOString() } : {}),
      })
    },
    integrations: {
      payments: openPayments({
        ...config.payments,
        guard: () => assertOutsideTransaction('the payment provider'),
      }),
      dns: openDns({ url: config.dnsResolverUrl, guard: () => assertOutsideTransaction('a name server') }),
      samlMetadata: address =>
        fetchMetadata(address, {
          sandboxOrigin: config.identitySandboxUrl,
          guard: () => assertOutsideTransaction('an identity provider'),
        }),
      storage: openStorage({ ...config.files, guard: () => assertOutsideTransaction('the file storage') }),
      images: openImages(),
      identity: openIdentityProviders(config.social, () => assertOutsideTransaction('an identity provider')),
    },
  }
}

/** A transaction whose jobs begin when it is committed, not at the workers' next look. */
async function waking<T>(queue: Queue, db: Db, as: As, run: (tx: Tx) => Promise<T>) {
  let committed: Tx | undefined
  const result = await transaction(db, as, tx => {
    committed = tx
    return run(tx)
  })
  if (committed) queue.wake(committed)
  return result
}
