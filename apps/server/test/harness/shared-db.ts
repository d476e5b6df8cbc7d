import { PGlite } from '@electric-sql/pglite'
import { expect } from 'vitest'
import type { Embedded } from '../../src/db/embedded/start.ts'
import { PgliteConnections } from './pglite-connections.ts'

/** What the migrations and the queue's start have written, and what the start of each server would write again. */
const keptTables = [
  'public.migrations',
  'public.sql_functions',
  'pgboss.version',
  'pgboss.queue',
  'pgboss.schedule',
]

/** Tables, rights, functions, triggers, policies, settings and statistics, as one text. */
const schemaDigestQuery = `
  select md5(string_agg(concat_ws(' ', variadic one), ' ' order by one)) as value from (
    select array[relname::text, relkind::text, relrowsecurity::text, relacl::text] from pg_class
      where relnamespace::regnamespace::text in ('public', 'pgboss')
    union all select array[oid::text, md5(prosrc), proacl::text, proconfig::text] from pg_proc
      where pronamespace::regnamespace::text in ('public', 'pgboss')
    union all select array[tgname::text, tgenabled::text] from pg_trigger where not tgisinternal
    union all select array[polname::text, polroles::text, pg_get_expr(polqual, polrelid)] from pg_policy
    union all select array[conname::text, convalidated::text] from pg_constraint
    union all select array[attrelid::text, attname::text, atttypid::text, atthasdef::text] from pg_attribute
      where attrelid::regclass::text !~ '^pg_' and attnum > 0
    union all select array[setrole::text, setconfig::text] from pg_db_role_setting
    union all select array[rolname::text, rolconnlimit::text] from pg_roles
    union all select array[starelid::text, staattnum::text] from pg_statistic
  ) as shapes (one)`

type Engine = { db: PGlite; empty(): Promise<boolean> }
let engine: Engine | undefined
/** The test file that has it. */
let holder: string | undefined

async function start(template: Uint8Array): Promise<Engine> {
  const db = await PGlite.create({ loadDataDir: new Blob([Uint8Array.from(template)]) })
  const column = async (query: string) =>
    (await db.query<{ value: string }>(query)).rows.map(({ value }) => value)
  const [shape] = await column(schemaDigestQuery)
  const tables = await column(
    `select format('%I.%I', schemaname, tablename) as value from pg_tables where schemaname in ('public', 'pgboss')`,
  )
  const emptied = tables.filter(name => !keptTables.includes(name))
  const rows = emptied.map(name => `select '${name}' as value where exists (select from ${name})`)
  return {
    db,
    /** @returns false when a file has left more than rows: then the next one needs another database */
    async empty() {
      await db.exec('rollback')
      await db.exec('discard all')
      if ((await column(schemaDigestQuery))[0] !== shape) return false
      const full = await column(rows.join(' union all '))
      if (full.length > 0)
        // Triggers protect append-only tables; a replica session does not run them.
        await db.exec(`set session_replication_role = replica;
          truncate ${full.join(', ')} restart identity cascade;
          set session_replication_role = origin`)
      return true
    },
  }
}

/**
 * The embedded database that this process reuses for all test files, emptied for each: starting one takes longer than most
 * files. Runs in the thread of the tests without a socket, which saves an eighth of the time. Each file has its own
 * connections, so that late work of the previous file cannot reach it.
 * @returns null when the file holds it already
 * @throws when the previous file has not released it
 */
export async function acquireSharedDb(
  template: () => Uint8Array,
  file = expect.getState().testPath ?? 'a test file',
): Promise<Embedded | null> {
  if (holder) {
    if (holder === file) return null
    const message = `${holder} is over and has not given its database back`
    // Reset, so that the next file gets a new one.
    holder = undefined
    engine = undefined
    throw new Error(message)
  }
  holder = file
  if (engine && !(await engine.empty())) {
    await engine.db.close()
    engine = undefined
  }
  engine ??= await start(template())
  const exchange = new PgliteConnections(engine.db)
  return {
    connection: { user: 'postgres', database: 'postgres', stream: () => exchange.connect() as never }, // as: what pg uses of a socket
    dump: () => Promise.reject(new Error('A database that is lent is not copied')),
    async close() {
      exchange.close()
      holder = undefined
    },
  }
}
