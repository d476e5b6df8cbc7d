import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { type Embedded, startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'

/** A fresh copy of the migrated template, or a fresh database on the PostgreSQL server under test. */
export async function ownDatabase(): Promise<{
  url: string | null
  template?: Uint8Array
  drop(): Promise<void>
}> {
  const base = inject('databaseUrl')
  if (!base) {
    const file = inject('template')
    return { url: null, template: file ? readFileSync(file) : undefined, drop: async () => {} }
  }
  const name = `${inject('run')}_${Math.random().toString(36).slice(2, 10)}`
  await onServer(base, `create database ${name}`)
  const url = new URL(base)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(base, `drop database if exists ${name} with (force)`) }
}

async function onServer(url: string, statement: string) {
  await asSuperuser({ connectionString: url }, client => client.query(statement))
}

async function asSuperuser<T>(where: pg.ClientConfig, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(where)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

type Standing = {
  engine: Embedded | null
  url: string | null
  where: pg.ClientConfig
  shape: string
  /** Those that files fill. */
  tables: string[]
}

let standing: Standing | null = null
let taken = false

/**
 * The database that this process keeps for file after file, emptied: to start one takes longer than most files do.
 * A second one at the same time is fresh.
 */
export async function emptyDatabase(): Promise<{ engine: Embedded | null; url: string | null }> {
  if (taken) return startDatabase(close => afterAll(close))
  taken = true
  afterAll(() => {
    taken = false
  })
  if (standing && !(await emptied(standing))) {
    await standing.engine?.close()
    standing = null
  }
  standing ??= await startDatabase(() => {})
  return standing
}

async function startDatabase(closeLater: (close: () => Promise<void>) => void): Promise<Standing> {
  const { url, template, drop } = await ownDatabase()
  const engine = url === null ? await startEmbedded({ dataDir: null, template }) : null
  closeLater(async () => {
    await engine?.close()
    await drop()
  })
  const where: pg.ClientConfig = engine ? engine.connection : { connectionString: url ?? undefined }
  return asSuperuser(where, async client => {
    if (url !== null) await migrate(client)
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
    )
    const tables = rows.map(({ name }) => name).filter(name => !kept.includes(name))
    return { engine, url, where, tables, shape: await shapeOf(client) }
  })
}

/** What the migrations and the queue's start have written, and what the start of each server would write again. */
const kept = ['public.migrations', 'pgboss.version', 'pgboss.queue', 'pgboss.schedule']

/** @returns false when a file has left more than rows, or something that still works: the next one gets a fresh database */
async function emptied({ where, shape, tables }: Standing): Promise<boolean> {
  try {
    return await asSuperuser(where, async client => {
      // The embedded database has one session for all its connections, and all of them become somebody else.
      await client.query('rollback')
      await client.query('discard all')
      // A transaction that somebody left open would hold us up for ever.
      await client.query("set lock_timeout = '5s'")
      if ((await shapeOf(client)) !== shape) return false
      // As one message: whatever still works for the file before may take a role of its own in between.
      const asked = tables.map(name => `select '${name}' as name where exists (select from ${name})`)
      const answers: unknown = await client.query(`reset role; ${asked.join(' union all ')}`)
      const [, { rows }] = answers as [unknown, { rows: { name: string }[] }] // as: one answer for each statement
      if (rows.length > 0)
        // What stands for ever stands so by triggers, which a replica doesn't run.
        await client.query(`reset role; set session_replication_role = replica;
          truncate ${rows.map(({ name }) => name).join(', ')} restart identity cascade;
          set session_replication_role = origin`)
      return true
    })
  } catch {
    return false
  }
}

/** Tables, functions, triggers and policies, as one text. */
async function shapeOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`
    select md5(string_agg(concat_ws(' ', variadic one), ' ' order by one)) as shape from (
      select array[relname::text, relrowsecurity::text] from pg_class where relnamespace::regnamespace::text = 'public'
      union all select array[oid::text, md5(prosrc)] from pg_proc where pronamespace::regnamespace::text = 'public'
      union all select array[tgname::text, tgenabled::text] from pg_trigger where not tgisinternal
      union all select array[polname::text] from pg_policy
      union all select array[conname::text] from pg_constraint where connamespace::regnamespace::text = 'public'
    ) as shapes (one)`)
  return String(rows[0]?.shape)
}
