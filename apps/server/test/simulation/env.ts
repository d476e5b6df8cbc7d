import { ensureCatalogue } from '../../src/features/billing/prices/catalogue.ts'
import { invariant } from '../../src/lib/invariant.ts'
import { closeAtEnd, createTestDatabase, testConfig } from '../harness.ts'
import { ownSandbox } from '../payments.ts'
import { jobsOf } from './jobs.ts'
import { startProcess } from './processes.ts'
import { providerOf, webhookSecret } from './provider.ts'
import type { Env } from './simulation.ts'

/** Tables to empty. Deleting rows of many small tables takes a tenth of the time of truncating them. */
const tablesOfAccounts = `
  with recursive owned (id) as (
    select unnest('{accounts,users,payment_webhooks,trial_cards,account_closures,pgboss.job}'::regclass[])::oid
    union select conrelid from pg_constraint join owned on confrelid = owned.id and contype = 'f'
  ) select id::regclass::text as name from owned`

/** Two servers on one database with a separate provider. Call it once at the top of a test file. */
export async function makeEnv(): Promise<Env> {
  const closing: (() => unknown)[] = []
  closeAtEnd(closing)
  const sandbox = await ownSandbox()
  const database = await createTestDatabase()
  const read = await testConfig(sandbox.env)
  const config = { ...read, payments: { ...read.payments, webhookSecret } }
  let shift = 0
  const clock = {
    now: () => Date.now() + shift,
    set(to: number) {
      shift = to
    },
  }
  const parts = { config, database, now: () => new Date(clock.now()) }
  closing.unshift(database.drop)
  const first = await startProcess({ ...parts, shared: null })
  closing.unshift(first.close)
  const second = await startProcess({ ...parts, shared: first.db.embedded ? first.db : null })
  closing.unshift(second.close)
  await ensureCatalogue(first.services)
  const system: Env['system'] = async (text, values = []) =>
    invariant((await first.db.asOwnerOfJobs(text, values)).rows, 'rows') as Record<string, never>[] // as: tests say what they expect of it
  const tables = await system(tablesOfAccounts)
  return {
    sandbox,
    processes: [first, second],
    jobs: jobsOf([first, second], clock.now),
    provider: providerOf(sandbox),
    clock,
    system,
    async forget() {
      const role = first.db.roles.system
      const gone = tables.map(({ name }) => `delete from ${name}`)
      await system(
        [
          'set local role none',
          // Triggers protect the audit log; a replica does not run them.
          'set local session_replication_role = replica',
          `grant delete on audit_log to ${role}`,
          `set local role ${role}`,
          ...gone,
          'set local role none',
          `revoke delete on audit_log from ${role}`,
        ].join('; '),
      )
    },
  }
}
