import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { nameOf, namesOfTexts } from '../lib/prepared.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import type { DB } from './schema.generated.ts'

export type Tx = Kysely<DB>

export type Db = {
  kysely: Kysely<DB>
  pool: pg.Pool
  embedded: Embedded | null
  /** Runs pg-boss's own statements, which belong to plinth_system. */
  asOwnerOfJobs: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

type Options = {
  databaseUrl: string | null
  dataDir: string | null
  poolSize: number
  template?: Uint8Array
  /** One that is there already (tests); closed with what is opened here. */
  embedded?: Embedded | null
  /** False when another process has just done it (tests). */
  migrate?: boolean
  onFatal?: (error: Error) => void
}

// The driver gives bigint and numeric as text; counts must be numbers, or '10' + 1 becomes 101.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Opens the embedded database or the one at databaseUrl, brings it to the newest schema, and pools connections. */
export async function openDb(options: Options): Promise<Db> {
  const embedded = options.databaseUrl
    ? null
    : (options.embedded ??
      (await startEmbedded({
        dataDir: options.dataDir,
        template: options.template,
        onExit: options.onFatal,
      })))
  const where: pg.ClientConfig = embedded
    ? embedded.connection
    : {
        connectionString: options.databaseUrl ?? undefined,
        connectionTimeoutMillis: 2000,
        application_name: 'plinth',
      }

  if (options.migrate !== false) {
    const owner = new pg.Client(where)
    await owner.connect()
    try {
      await migrate(owner)
    } finally {
      await owner.end()
    }
  }

  const pool = new pg.Pool({
    ...where,
    // PGlite answers one connection at a time; more of them mix up prepared statements.
    max: embedded ? 1 : options.poolSize,
    idleTimeoutMillis: embedded ? 0 : 30_000,
    connectionTimeoutMillis: embedded ? 0 : 5000,
    // The second one is our own clock: behind a dead network the server's never speaks.
    ...(embedded
      ? {}
      : {
          pipeline: true,
          statement_timeout: 15_000,
          query_timeout: 17_000,
          idle_in_transaction_session_timeout: 30_000,
        }),
    // Without a context a query runs as plinth_app with no account: row-level security then shows nothing.
    onConnect: async client => {
      // The pool listens for errors only while a connection is idle. A database that goes away under a query ends
      // that query; without a listener here it would end the process.
      client.on('error', () => {})
      // All connections to the embedded database share one session: what a dropped one left behind must go first.
      // Compiling a statement takes longer than any of ours runs; the price of one whose sorting is forbidden invites it.
      await client.query(
        embedded ? 'rollback; deallocate all; set role plinth_app' : 'set role plinth_app; set jit = off',
      )
    },
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const nameOfText = embedded ? namesOfTexts(500) : () => undefined
  const kysely = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: preparing(pool, { pipeline: !embedded, nameOfText }) }),
  })

  return {
    kysely,
    pool,
    embedded,
    async asOwnerOfJobs(text, values) {
      // It takes a connection of its own: the caller's transaction would wait for one that it may be holding itself.
      assertOutsideTransaction('a statement of the job queue')
      const client = await pool.connect()
      // As a transaction's beginning: workers look for jobs all the time. Without its role a statement finds no table.
      if (!embedded) holdBack(client)
      const sent: Promise<pg.QueryResult>[] = []
      try {
        for (const [each, given] of [
          ['set role plinth_system'],
          [text, values],
          ['set role plinth_app'],
        ] as const) {
          const name = ofWorkers.test(each) ? nameOfText(each) : undefined
          sent.push(client.query({ name, text: each }, given))
          if (embedded) await sent.at(-1)
        }
        const [, result] = await Promise.all(sent)
        client.release()
        const last = Array.isArray(result) ? result.at(-1) : result
        return { rows: last?.rows ?? [] }
      } catch (error) {
        await Promise.allSettled(sent)
        await client.query('rollback; set role plinth_app').then(
          () => client.release(isLost(error)),
          () => client.release(true),
        )
        throw error
      }
    },
    async close() {
      await kysely.destroy()
      // The query builder ends the pool it was given, unless nobody ever asked it anything.
      if (!pool.ending) await pool.end()
      await embedded?.close()
    },
  }
}

/** Calls of the database's own functions: their text never varies. */
const ownFunction = /^select ([a-z_]+)\([$\d, ]*\) as value$/

/** Driver and database disagree on what is prepared: only a new connection ends that. */
const isLost = (error: unknown): error is Error => error instanceof pg.DatabaseError && error.code === '26000'

type Preparing = { pipeline: boolean; nameOfText: ReturnType<typeof namesOfTexts> }

/** What workers ask for again and again: a job, and that it is done. */
const ofWorkers = /^\s*WITH\s+(?:next|input)\s+AS\b/

/** What the query builder writes, but for what begins and ends transactions. */
const built = /^(?:select|insert|update|delete|with) /

/**
 * Prepares calls of our own functions, and what asks for it, once a connection: to parse one costs about as much as to
 * run it. The embedded database has one connection and reads slowly: there, that holds for every statement. A transaction
 * begins as its connection is taken, so that its first statement goes with it: one wait less.
 */
function preparing(pool: pg.Pool, options: Preparing): PostgresPool {
  const nameOfBuilt = (text: string) => (built.test(text) ? options.nameOfText(text) : undefined)
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const transaction = inside.getStore()
      if (transaction) {
        if (options.pipeline) holdBack(client)
        transaction.begun = client.query(transaction.opening)
        // Told by whoever waits for it.
        transaction.begun.catch(() => {})
        // One after the other without waiting is for a server.
        if (!options.pipeline)
          await transaction.begun.catch((error: Error) => {
            client.release(error)
            throw error
          })
      }
      let spoiled: Error | undefined
      const send = async (text: string, values: unknown[]) => {
        const name = ownFunction.exec(text)?.[1] ?? nameOf(text)
        const query = { name: name ? `${name}/${values.length}` : nameOfBuilt(text), text }
        return client.query(query, values).catch(error => {
          if (isLost(error)) spoiled = error
          throw error
        })
      }
      return {
        query(text: string, values: unknown[]) {
          if (!transaction?.listing || text === 'commit' || text === 'rollback') return send(text, values)
          if (transaction.ended) throw new Error('A listing is one statement')
          const asked = send(text, values)
          // Its end follows at once, whatever became of it: after a failure a commit takes back.
          const end = () => client.query('commit')
          transaction.ended = options.pipeline ? end() : asked.then(end, end)
          const ended = transaction.ended.catch(() => {})
          return options.pipeline ? asked : ended.then(() => asked)
        },
        release: (destroy?: boolean) => client.release(destroy || spoiled),
      } as unknown as PostgresPoolClient // as: no statement of ours is read by a cursor, the other form of query
    },
  }
}

/** What is sent until the promises at hand have run goes out as one packet: the database wakes once. */
function holdBack(client: pg.PoolClient) {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection // as: pg's types leave it out
  stream.cork()
  process.nextTick(() => stream.uncork())
}

type Under = {
  opening: string
  listing: boolean
  begun: Promise<unknown> | null
  /** The end of a listing, on its way. */
  ended: Promise<unknown> | null
}
const inside = new AsyncLocalStorage<Under>()

/** Throws when called while a transaction is open: the outside world is never awaited in one (architecture, section 5). */
export function assertOutsideTransaction(what: string) {
  if (inside.getStore()) throw new Error(`${what} was called inside a transaction`)
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
  if (inside.getStore()) throw new Error('A transaction was opened inside another one')
  const listing = as !== 'system' && as.listing === true
  const state: Under = { opening: opening(as), listing, begun: null, ended: null }
  return inside.run(state, () =>
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

function opening(as: As): string {
  if (as === 'system') return 'begin; set local role plinth_system'
  if (!uuid.test(as.account)) throw new Error('The account of a transaction must be a uuid')
  const account = `; set local app.account_id = '${as.account}'`
  return as.listing ? `begin read only${account}; ${forListing}` : `begin${account}`
}

const raw = (text: string) => CompiledQuery.raw(text)
