import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { namesOfTexts } from '../runtime/prepared.ts'
import {
  assertMayTakeRoles,
  assertSameDatabase,
  type ConnectOptions,
  connect,
  inspectServer,
  type Server,
  settingsOf,
} from './connect.ts'
import { type Embedded, startEmbedded } from './embedded/start.ts'
import { migrate } from './migrate.ts'
import { inOwnTransaction, isLost, preparedPool } from './prepared-pool.ts'
import { rolesOf } from './roles.ts'
import type { DB } from './schema.generated.ts'
import { assertOutsideTransaction, beginStatement, type Tx, timeouts } from './transaction.ts'

export type Db = Server & {
  kysely: Tx
  pool: pg.Pool
  embedded: Embedded | null
  /** One statement outside of a transaction, as the application's role and without an account. */
  query<R extends pg.QueryResultRow>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>>
  /** Runs pg-boss's own statements as the role that sees all rows. */
  asOwnerOfJobs: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

type Options = {
  databaseUrl: string | null
  /** The login of migrations; null = that of databaseUrl. */
  migrationUrl?: string | null
  dataDir: string | null
  poolSize: number
  template?: Uint8Array
  /** A running engine (tests); closed with the pool. */
  embedded?: Embedded | null
  /** False for a database that is migrated already (tests). */
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

/** Inspects the server, migrates its database, and checks that the login has the rights that it needs. */
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
    // PGlite serves one connection at a time; several would mix up prepared statements.
    max: embedded ? 1 : options.poolSize,
    idleTimeoutMillis: embedded ? 0 : 30_000,
    connectionTimeoutMillis: embedded ? 0 : 5000,
    // A time-out of the client too: that of the server never arrives over a dead network.
    ...(embedded ? {} : { pipeline: true, query_timeout: timeouts.statement + 2000 }),
    // A pooler refuses these parameters: there each transaction sets them.
    ...(embedded || isPooled
      ? {}
      : { statement_timeout: timeouts.statement, idle_in_transaction_session_timeout: timeouts.idle }),
    onConnect: async client => {
      // The pool handles errors of idle connections only. Without this listener a lost connection would end the process
      // and not just its query.
      client.on('error', () => {})
      // A pooler would pass session settings on to other clients.
      if (isPooled) return
      // A query outside a transaction has the application's role and no account: row-level security returns no rows.
      // All connections to the embedded database share one session, so what the last one left is reset.
      await client.query(
        embedded ? `rollback; deallocate all; set role ${roles.app}` : `set role ${roles.app}; set jit = off`,
      )
    },
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const nameOfText = embedded ? namesOfTexts(500) : () => undefined
  const pooledOpening = isPooled ? beginStatement('no account', server) : null
  const pipeline = !embedded
  const kysely = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: preparedPool(pool, { pipeline, nameOfText, pooledOpening }) }),
  })

  async function queryInOwnTransaction<R extends pg.QueryResultRow>(
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
      return queryInOwnTransaction<R>(pooledOpening, { ...config, name: undefined }, values)
    },
    async asOwnerOfJobs(text, values) {
      // It takes another connection: a caller's transaction could wait for the connection that it holds itself.
      assertOutsideTransaction('a statement of the job queue')
      // A transaction can't build an index concurrently; the tables of jobs are small.
      const inTransaction = text.replace(/\bINDEX CONCURRENTLY\b/g, 'INDEX')
      const name = workerStatement.test(text) ? nameOfText(text) : undefined
      const result = await queryInOwnTransaction(
        beginStatement('system', server),
        { name, text: inTransaction },
        values,
      )
      // Several statements have a result each.
      const last = Array.isArray(result) ? (result as pg.QueryResult[]).at(-1) : result // as: the driver's types leave it out
      return { rows: last?.rows ?? [] }
    },
    async close() {
      await kysely.destroy()
      // The query builder ends its pool only when it has used it.
      if (!pool.ending) await pool.end()
      await embedded?.close()
    },
  }
}

/** The frequent statements of workers: fetch a job, complete a job. */
const workerStatement = /^\s*WITH\s+(?:next|input)\s+AS\b/
