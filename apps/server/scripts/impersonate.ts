import { parseArgs } from 'node:util'
import { parseEmail } from '@plinth/contract/email'
import { ConfigError, parseConfig } from '../src/config.ts'
import { FolderInUse } from '../src/db/embedded/folder-lock.ts'
import { openDb } from '../src/db/pool.ts'
import { createSupportLink } from '../src/features/impersonation/service.ts'
import { openQueue } from '../src/jobs/queue.ts'
import { translate } from '../src/lib/i18n.ts'
import { Refusal } from '../src/lib/refusal.ts'
import { makeLog } from '../src/log.ts'
import { makeServices } from '../src/services.ts'

/** Makes a link by which support acts as a user: `npm run impersonate -- --as=me@… --user=them@…`. */
const usage =
  'npm run impersonate -- --as=<address of a master> --user=<address of the user> [--account=<id of one of their accounts>]'

/** The refusals of an endpoint speak to the person who calls; these name the address that is meant. */
const reasons: Partial<Record<string, (by: { master: string; user: string }) => string>> = {
  permission_required: ({ master }) => `${master} is not a master. Only a master can act as another user.`,
  second_factor_missing: ({ master }) =>
    `${master} has no second factor. A master sets one up at the first sign-in.`,
  user_unknown: ({ user }) => `${user} is no user, or not in that account.`,
  support_not_enabled: ({ user }) =>
    `${user} hasn’t turned on support access. They can do so in their profile.`,
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { as: { type: 'string' }, user: { type: 'string' }, account: { type: 'string' } },
  })
  const [master, user] = [parseEmail(values.as ?? ''), parseEmail(values.user ?? '')]
  if (!master || !user) {
    console.error(usage)
    return 2
  }
  const config = parseConfig(process.env)
  const log = makeLog('silent')
  const db = await openDb({
    databaseUrl: config.databaseUrl,
    migrationUrl: config.migrationDatabaseUrl,
    dataDir: config.dataDir,
    poolSize: 2,
    // A person is waiting: do not retry.
    patienceMs: 0,
  })
  const queue = openQueue(db, log, { workers: false })
  try {
    await queue.start()
    const services = makeServices({ config, db, queue, log })
    const made = await createSupportLink(services, { master, user, account: values.account })
    process.stdout.write(
      `Open this where you are signed in as ${master}, within half an hour:\n${made.url}\n`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(reasons[error.code]?.({ master, user }) ?? translate('en', `refusals.${error.code}`))
    return 1
  } finally {
    await queue.stop()
    await db.close()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  if (error instanceof FolderInUse) {
    console.error(
      'The server has the embedded database, which one process at a time can open. Stop it, make the link and start it again; or call POST /api/impersonation.',
    )
  } else if (error instanceof ConfigError || (error instanceof Error && 'code' in error)) {
    console.error(error.message)
  } else throw error
  process.exitCode = 1
}
