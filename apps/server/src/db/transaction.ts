import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Server } from './connect.ts'
import type { DB } from './schema.generated.ts'

export type Tx = Kysely<DB>

/** The role and account of a transaction. `readOnlyList`: one statement that only reads, in the order of an index. */
export type As = { account: string; readOnlyList?: boolean } | 'system'

export type TxState = {
  opening: string
  readOnlyList: boolean
  begun: Promise<unknown> | null
  /** The pending commit of a read-only list. */
  ended: Promise<unknown> | null
}
/** The transaction that the code is running in. */
export const txStorage = new AsyncLocalStorage<TxState>()

/** Throws when called while a transaction is open: nothing outside the database is awaited in one. */
export function assertOutsideTransaction(what: string) {
  if (txStorage.getStore()) throw new Error(`${what} was called inside a transaction`)
}

/** Runs a transaction as one of the two application roles. Begin, role and account are sent as one message. */
export async function transaction<T>(
  db: Server & { kysely: Tx },
  as: As,
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (txStorage.getStore()) throw new Error('A transaction was opened inside another one')
  const readOnlyList = as !== 'system' && as.readOnlyList === true
  const state: TxState = { opening: beginStatement(as, db), readOnlyList, begun: null, ended: null }
  return txStorage.run(state, () =>
    db.kysely.connection().execute(async connection => {
      try {
        const result = await run(connection)
        // If it failed, the statements ran without role and account, and row-level security returned no rows.
        await state.begun
        if (state.ended) return result
        const { rows } = await connection.executeQuery<{ command: string }>(raw('commit'))
        // The server answers a commit after an error with a rollback, even when `run` caught the error.
        if (rows[0]?.command === 'ROLLBACK') throw new Error('The transaction had failed before its commit')
        return result
      } catch (error) {
        // Await the pending commit first, so that the next user of this connection does not lose a query.
        await state.ended?.catch(() => {})
        // A broken connection can't roll back; the server does when the socket closes. The first error is reported.
        await connection.executeQuery(raw('rollback')).catch(() => {})
        throw error
      }
    }),
  )
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Lists are read in the order of an index, without sorting. A database without statistics, as the embedded one always
 * is, takes every account for a small one and would sort.
 */
export const inOrder =
  "select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)"

/** One plan for all values: the requested order decides it, and planning costs more than it saves. */
export const forReadOnlyList = `${inOrder}, set_config('plan_cache_mode', 'force_generic_plan', true)`

/** In milliseconds; `idle` ends a transaction that was left open. */
export const timeouts = { statement: 15_000, idle: 30_000 }
/**
 * Compiling a statement takes longer than running any of ours. Set in the transaction, because on the database only its
 * owner may set it, and backups and other programs would be affected.
 */
const pooledSettings = `set local jit = off; set local statement_timeout = ${timeouts.statement}; set local idle_in_transaction_session_timeout = ${timeouts.idle}`

/** Behind a pooler a connection has no role and no settings of its own: each transaction sets them. */
export function beginStatement(as: As | 'no account', { roles, isPooled }: Server): string {
  const settings = isPooled ? `; ${pooledSettings}` : ''
  if (as === 'system') return `begin; set local role ${roles.system}${settings}`
  const role = isPooled ? `; set local role ${roles.app}` : ''
  if (as === 'no account') return `begin${role}${settings}`
  // The account is part of the statement's text.
  if (!uuid.test(as.account)) throw new Error('The account of a transaction must be a uuid')
  const account = `${role}; set local app.account_id = '${as.account}'${settings}`
  return as.readOnlyList ? `begin read only${account}; ${forReadOnlyList}` : `begin${account}`
}

const raw = (text: string) => CompiledQuery.raw(text)
