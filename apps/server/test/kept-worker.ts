import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { serve } from '../src/db/embedded-server.ts'

/**
 * An embedded database that is lent to one test file after the other, each time emptied and at a socket of its own:
 * whoever still works for the file before has no way to it. workerData: { template }
 */
const { template } = workerData as { template: Uint8Array } // as: sent by kept.ts

/** What the migrations and the queue's start have written, and what the start of each server would write again. */
const kept = ['public.migrations', 'pgboss.version', 'pgboss.queue', 'pgboss.schedule']

/** Tables, rights, functions, triggers, policies, settings and statistics, as one text. */
const shapeQuery = `
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

const db = await PGlite.create({ loadDataDir: new Blob([Uint8Array.from(template)]) })
const column = async (query: string) =>
  (await db.query<{ value: string }>(query)).rows.map(({ value }) => value)
const [shape] = await column(shapeQuery)
const tables = (
  await column(
    `select format('%I.%I', schemaname, tablename) as value from pg_tables where schemaname in ('public', 'pgboss')`,
  )
).filter(name => !kept.includes(name))

/** @returns false when a file has left more than rows: then the next one needs another database */
async function empty(): Promise<boolean> {
  await db.exec('rollback')
  await db.exec('discard all')
  if ((await column(shapeQuery))[0] !== shape) return false
  const full = await column(
    tables.map(name => `select '${name}' as value where exists (select from ${name})`).join(' union all '),
  )
  if (full.length > 0)
    // What stands for ever stands so by triggers, which a replica doesn't run.
    await db.exec(`set session_replication_role = replica;
      truncate ${full.join(', ')} restart identity cascade;
      set session_replication_role = origin`)
  return true
}

let server: Awaited<ReturnType<typeof serve>> | undefined
let used = false
parentPort?.on('message', async (message: { lend: string } | 'back') => {
  if (message === 'back') {
    await server?.stop()
    parentPort?.postMessage('back')
    return
  }
  if (used && !(await empty())) {
    parentPort?.postMessage('changed')
    return
  }
  used = true
  server = await serve(db, message.lend)
  parentPort?.postMessage('lent')
})
