import { CompiledQuery } from 'kysely'
import type { Actor } from '../context.ts'
import { actorOf, type SessionFound } from '../db/find-session.ts'
import type { Tx } from '../db/transaction.ts'

export type SessionRow = {
  id: string
  token_hash: Buffer
  user_id: string
  method: string
  second_factor: boolean
  impersonator_id: string | null
  user_agent: string
  network: string
  /** Null for support staff acting as the user. */
  browser_hash: Buffer | null
  now: Date
  created_at: Date
  authenticated_at: Date
  /** Null: the lifetimes decide. */
  expires_at: Date | null
  /** Of the session that this one replaces. */
  sign_in_id: string | null
  lifetimes: Lifetimes
}
type Lifetimes = Record<'user' | 'master', { idle: number; absolute: number }>

export type Opening = { account_id: string; two_factor: boolean; sso_required: boolean }
type Entered = {
  /** Null when the user was deleted, or the password has changed since it was verified. */
  opening: Opening | null
  /** Null when a second factor or single sign-on is required first. */
  opened: { actor: Actor | null; new_device: boolean } | null
}

/**
 * Chooses the account that a new session opens, and writes the session and its device unless single sign-on or the
 * second factor is due first. Locks the user's row, so that code that ends their sessions waits for this one.
 * `new_device`: the user has other devices and neither browser nor network is known, or has been away for long.
 */
export async function enter(
  tx: Tx,
  by: { wanted: string | null; password_hash: string | null; asks: boolean },
  row: SessionRow,
): Promise<Entered> {
  return enteredOf(await one<EnteredJson>(tx, 'create_session($1, $2)', [requestOf(row, by), false]))
}

/** The same after a verified password, in one statement without a transaction. Opens nothing when a challenge or a mail must be written with it. */
export async function signIn(tx: Tx, password_hash: string, row: SessionRow): Promise<Entered> {
  return enteredOf(await one<EnteredJson>(tx, 'sign_in($1)', [requestOf(row, { password_hash })]))
}

/** The parameter of create_session(): JSON, with bytes as PostgreSQL reads them from text. */
const requestOf = (row: SessionRow, more: object) =>
  JSON.stringify({
    ...row,
    ...more,
    token_hash: bytesOf(row.token_hash),
    browser_hash: row.browser_hash && bytesOf(row.browser_hash),
  })
const bytesOf = (hash: Buffer) => `\\x${hash.toString('hex')}`

type EnteredJson = { opening?: Opening | null; opened?: (SessionFound & { new_device: boolean }) | null }

const enteredOf = (found: EnteredJson | null): Entered => ({
  opening: found?.opening ?? null,
  opened: found?.opened ? { actor: actorOf(found.opened), new_device: found.opened.new_device } : null,
})

/** The value of one of the database's own functions: its plan is kept there, and the answer is one column. */
async function one<T>(tx: Tx, call: string, values: unknown[]): Promise<T | null> {
  const { rows } = await tx.executeQuery<{ value: T | null }>(
    CompiledQuery.raw(`select ${call} as value`, values),
  )
  return rows[0]?.value ?? null
}

export async function insertChallenge(
  tx: Tx,
  row: {
    id: string
    token_hash: Buffer
    user_id: string
    method: string
    account_id: string
    session_until: Date | null
    created_at: Date
    expires_at: Date
  },
) {
  await tx.insertInto('challenges').values(row).execute()
}

/** Ends a session and returns what its successor inherits. */
export function removeSession(tx: Tx, sessionId: string) {
  return tx
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .returning(['authenticated_at', 'expires_at', 'second_factor', 'created_at', 'sign_in_id'])
    .executeTakeFirst()
}

export async function markSessionFresh(tx: Tx, sessionId: string, now: Date) {
  await tx.updateTable('sessions').set({ authenticated_at: now }).where('id', '=', sessionId).execute()
}

/** A user's sessions; with an account, only the sessions in it. */
export type SessionScope = { user_id: string; account_id?: string | null }

export type EndedSession = {
  id: string
  account_id: string
  sign_in_id: string
  browser_hash: Buffer | null
}

/**
 * Ends sessions except one, pending second steps, and the support sessions that this user opened as other users.
 */
export async function removeSessions(
  tx: Tx,
  { user_id, account_id = null }: SessionScope,
  except: string | null = null,
): Promise<EndedSession[]> {
  await tx.deleteFrom('sessions').where('impersonator_id', '=', user_id).execute()
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .$if(account_id !== null, query => query.where('account_id', '=', account_id))
    .$if(except !== null, query => query.where('id', '!=', except))
    .returning(['id', 'account_id', 'sign_in_id', 'browser_hash'])
    .execute()
  await tx
    .deleteFrom('challenges')
    .where('user_id', '=', user_id)
    .$if(account_id !== null, query => query.where('account_id', '=', account_id))
    .execute()
  return ended
}
