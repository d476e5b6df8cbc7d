import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { namesOfTexts } from '../lib/prepared.ts'
import {
  assertMayTakeRoles,
  assertSameDatabase,
  type ConnectOptions,
  connect,
  inspectServer,
  type Server,
  settingsOf,
} from './connect.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { inOwnTransaction, isLost, preparedPool, type TxState, txStorage } from './prepared-pool.ts'
import { rolesOf } from './roles.ts'
import type { DB } from './schema.generated.ts'

export type Tx = Kysely<DB>

export type Db = Server & {
  kysely: Kysely<DB>
  pool: pg.Pool
  embedded: Embedded | null
  /** One statement outside of a transaction, as the application's role and without an account. */
  query<R extends pg.QueryResultRow>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>>
  /** Runs pg-boss's own statements, which belong to the role that sees all rows. */
  asOwnerOfJobs: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

type Options = {
  databaseUrl: string | null
  /** Where migrations log in; null: where everything else does. */
  migrationUrl?: string | null
  dataDir: string | null
  poolSize: number
  template?: Uint8Array
  /** One that is there already (tests); closed with what is opened here. */
  embedded?: Embedded | null
  /** False when another process has just done it (tests). */
  migrate?: boolean
  onFatal?: (error: Error) => void
} & Pick<ConnectOptions, 'patienceMs' | 'onWait'>

// The driver gives bigint and numeric as text; counts must be numbers, or '10' + 1 becomes 101.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Opens the embedded database or the one at databaseUrl, brings it to the newest schema, and pools connections. */
export async function openDb(options: Options): Promise<Db> {
  if (options.databaseUrl !== null) {
    const server = await prepareServer({ ...options, databaseUrl: options.databaseUrl })
    return makeDb(options, null, server, settingsOf(options.databaseUrl))
  }
  const embedded =
    options.embedded ??
    (await startEmbedded({ dataDir: options.dataDir, template: options.template, onExit: options.onFatal }))
  const server: Server = { roles: rolesOf(null), isPooled: false }
  if (options.migrate !== false) {
    const owner = new pg.Client(embedded.connection)
    await owner.connect()
    await migrate(owner, server.roles).finally(() => owner.end())
  }
  return makeDb(options, embedded, server, embedded.connection)
}

/** Looks at the server, migrates its database, and makes sure that the login can work there. */
async function prepareServer(options: Options & { databaseUrl: string }): Promise<Server> {
  const { databaseUrl, migrationUrl } = options
  if (migrationUrl) await assertSameDatabase(databaseUrl, migrationUrl, options)
  const variable = migrationUrl ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL'
  const owner = await connect(migrationUrl ?? databaseUrl, { ...options, variable })
  const server = await inspectServer(owner, variable)
    .then(async found => {
      if (options.migrate !== false) await migrate(owner, found.roles, variable)
      return found
    })
    .finally(() => owner.end())
  if (!migrationUrl) return server
  const login = await connect(databaseUrl, { ...options, variable: 'DATABASE_URL' })
  return inspectServer(login, 'DATABASE_URL')
    .then(async found => {
      await assertMayTakeRoles(login, found.roles, 'DATABASE_URL')
      return found
    })
    .finally(() => login.end())
}

function makeDb(options: Options, embedded: Embedded | null, server: Server, where: pg.ClientConfig): Db {
  const { roles, isPooled } = server
  const pool = new pg.Pool({
    ...where,
    // PGlite answers one connection at a time; more of them mix up prepared statements.
    max: embedded ? 1 : options.poolSize,
    idleTimeoutMillis: embedded ? 0 : 30_000,
    connectionTimeoutMillis: embedded ? 0 : 5000,
    // The client's own time-out: a dead network never delivers the server's.
    ...(embedded ? {} : { pipeline: true, query_timeout: timeouts.statement + 2000 }),
    // A pooler refuses these as it connects: there they are set in each transaction.
    ...(embedded || isPooled
      ? {}
      : { statement_timeout: timeouts.statement, idle_in_transaction_session_timeout: timeouts.idle }),
    onConnect: async client => {
      // The pool listens for errors only while a connection is idle. A database that goes away under a query ends
      // that query; without a listener here it would end the process.
      client.on('error', () => {})
      // A pooler would pass session settings on to other clients.
      if (isPooled) return
      // Without a context a query has the application's role and no account: row-level security then shows nothing.
      // All connections to the embedded database share one session: what a dropped one left behind must go first.
      await client.query(
        embedded ? `rollback; deallocate all; set role ${roles.app}` : `set role ${roles.app}; set jit = off`,
      )
    },
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const nameOfText = embedded ? namesOfTexts(500) : () => undefined
  const pooledOpening = isPooled ? opening('no account', server) : null
  const pipeline = !embedded
  const kysely = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: preparedPool(pool, { pipeline, nameOfText, pooledOpening }) }),
  })

  /** Takes a connection for one statement in a transaction of its own. */
  async function alone<R extends pg.QueryResultRow>(
    opening: string,
    query: pg.QueryConfig,
    values?: unknown[],
  ) {
    const client = await pool.connect()
    try {
      const result = await inOwnTransaction(client, { opening, pipeline }, () =>
        client.query<R>(query, values),
      )
      client.release()
      return result
    } catch (error) {
      client.release(isLost(error))
      throw error
    }
  }

  return {
    ...server,
    kysely,
    pool,
    embedded,
    query<R extends pg.QueryResultRow>(query: string | pg.QueryConfig, values?: unknown[]) {
      const config = typeof query === 'string' ? { text: query } : query
      if (pooledOpening === null) return pool.query<R>(config, values)
      // A pooler before PgBouncer 1.21 forgets which connection has a prepared statement.
      return alone<R>(pooledOpening, { ...config, name: undefined }, values)
    },
    async asOwnerOfJobs(text, values) {
      // It takes a connection of its own: the caller's transaction would wait for one that it may be holding itself.
      assertOutsideTransaction('a statement of the job queue')
      // Within a transaction no index can be built concurrently; the tables of jobs are small.
      const inTransaction = text.replace(/\bINDEX CONCURRENTLY\b/g, 'INDEX')
      const name = ofWorkers.test(text) ? nameOfText(text) : undefined
      const result = await alone(opening('system', server), { name, text: inTransaction }, values)
      // A text of several statements has a result for each.
      const last = Array.isArray(result) ? (result as pg.QueryResult[]).at(-1) : result // as: the driver's types leave it out
      return { rows: last?.rows ?? [] }
    },
    async close() {
      await kysely.destroy()
      // The query builder ends the pool it was given, unless nobody ever asked it anything.
      if (!pool.ending) await pool.end()
      await embedded?.close()
    },
  }
}

/** What workers ask for again and again: a job, and that it is done. */
const ofWorkers = /^\s*WITH\s+(?:next|input)\s+AS\b/

/** Throws when called while a transaction is open: the outside world is never awaited in one (architecture, section 5). */
export function assertOutsideTransaction(what: string) {
  if (txStorage.getStore()) throw new Error(`${what} was called inside a transaction`)
}

/**
 * As whom a transaction runs; `listing`: it is one statement that only reads, in the order of indexes, and nobody waits
 * for its end.
 */
export type As = { account: string; listing?: boolean } | 'system'

/**
 * A transaction as one of the two application roles. Begin, role and context travel as one message.
 * Uuid is checked by the caller's type and here, for it is pasted into that message.
 */
export async function transaction<T>(db: Db, as: As, run: (tx: Tx) => Promise<T>): Promise<T> {
  if (txStorage.getStore()) throw new Error('A transaction was opened inside another one')
  const listing = as !== 'system' && as.listing === true
  const state: TxState = { opening: opening(as, db), listing, begun: null, ended: null }
  return txStorage.run(state, () =>
    db.kysely.connection().execute(async connection => {
      try {
        const result = await run(connection)
        // Should it have failed, the statements ran with no role and no account, for which row-level security holds nothing.
        await state.begun
        if (state.ended) return result
        const { rows } = await connection.executeQuery<{ command: string }>(raw('commit'))
        // How the server ends what an error has undone, when the error itself was passed over.
        if (rows[0]?.command === 'ROLLBACK') throw new Error('The transaction had failed before its commit')
        return result
      } catch (error) {
        // A broken connection can't roll back; the server does it when the socket goes. The first error is the one to tell.
        // Waited for, whatever is on its way: a connection that is about to be lost would take somebody else's call along.
        await state.ended?.catch(() => {})
        await connection.executeQuery(raw('rollback')).catch(() => {})
        throw error
      }
    }),
  )
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * For a listing an index is read in its order, and nothing sorted: a database that has not counted its rows yet takes
 * every account for a small one, and the embedded one never counts.
 */
export const inOrder =
  "select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)"

/** In a listing what is prepared is planned for any value: the order that was asked for decides, and to plan costs more. */
export const forListing = `${inOrder}, set_config('plan_cache_mode', 'force_generic_plan', true)`

/** What a connection has from its start on, and behind a pooler each transaction: `idle` ends one that was forgotten. */
const timeouts = { statement: 15_000, idle: 30_000 }
/**
 * Compiling a statement takes longer than any of ours runs. Set for the transaction, which every login may do; on the
 * database only its owner may, and it would hold for backups and other programs, too.
 */
const pooledSettings = `set local jit = off; set local statement_timeout = ${timeouts.statement}; set local idle_in_transaction_session_timeout = ${timeouts.idle}`

/** Begins a transaction. Behind a pooler a connection has no role and no settings of its own: each transaction sets them. */
function opening(as: As | 'no account', { roles, isPooled }: Pick<Db, 'roles' | 'isPooled'>): string {
  const settings = isPooled ? `; ${pooledSettings}` : ''
  if (as === 'system') return `begin; set local role ${roles.system}${settings}`
  const role = isPooled ? `; set local role ${roles.app}` : ''
  if (as === 'no account') return `begin${role}${settings}`
  if (!uuid.test(as.account)) throw new Error('The account of a transaction must be a uuid')
  const account = `${role}; set local app.account_id = '${as.account}'${settings}`
  return as.listing ? `begin read only${account}; ${forListing}` : `begin${account}`
}

const raw = (text: string) => CompiledQuery.raw(text)
