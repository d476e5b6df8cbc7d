import { CompiledQuery } from 'kysely'
import type { Actor } from '../context.ts'
import { actorOf, type SessionFound } from '../db/session-actor.ts'
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
  /** Null in an impersonation: the browser is not the user's. */
  browser_hash: Buffer | null
  now: Date
  created_at: Date
  authenticated_at: Date
  /** The end when it is earlier than the lifetimes allow. */
  expires_at: Date | null
  /** The sign_in_id of the session that this one replaces. */
  sign_in_id: string | null
  lifetimes: Lifetimes
}
type Lifetimes = Record<'user' | 'master', { idle: number; absolute: number }>

/** The account of a new session, and what it requires. */
export type ChosenAccount = { account_id: string; two_factor: boolean; sso_required: boolean }
type SessionResult = {
  /** Null when the user was deleted, or the password has changed since it was verified. */
  account: ChosenAccount | null
  /** Null when nothing was written: a second factor, single sign-on or a mail about a new device is required. */
  session: { actor: Actor | null; new_device: boolean } | null
}

/**
 * Chooses the account of a new session, and inserts the session and its device unless single sign-on or the second factor
 * is required first. Locks the user's row, so that code that ends their sessions waits for this one.
 * `new_device`: neither browser nor network is known, or the user's devices were deleted because they were not used.
 */
export async function insertSession(
  tx: Tx,
  by: { wanted_account_id: string | null; password_hash: string | null; asks_second_factor: boolean },
  row: SessionRow,
): Promise<SessionResult> {
  return resultOf(await callFunction<ResultJson>(tx, 'create_session($1, $2)', [requestOf(row, by), false]))
}

/**
 * Inserts a session after a verified password, in one statement without a transaction. Writes nothing when a challenge or
 * a mail must be written with it.
 */
export async function insertPasswordSession(
  tx: Tx,
  password_hash: string,
  row: SessionRow,
): Promise<SessionResult> {
  return resultOf(
    await callFunction<ResultJson>(tx, 'create_password_session($1)', [requestOf(row, { password_hash })]),
  )
}

/** The parameter of create_session(): JSON, with bytes in PostgreSQL's hex format. */
const requestOf = (row: SessionRow, more: object) =>
  JSON.stringify({
    ...row,
    ...more,
    token_hash: bytesOf(row.token_hash),
    browser_hash: row.browser_hash && bytesOf(row.browser_hash),
  })
const bytesOf = (hash: Buffer) => `\\x${hash.toString('hex')}`

type ResultJson = {
  account?: ChosenAccount | null
  session?: (SessionFound & { new_device: boolean }) | null
}

const resultOf = (found: ResultJson | null): SessionResult => ({
  account: found?.account ?? null,
  session: found?.session ? { actor: actorOf(found.session), new_device: found.session.new_device } : null,
})

async function callFunction<T>(tx: Tx, call: string, values: unknown[]): Promise<T | null> {
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

/** Deletes a session. @returns what a session that replaces it inherits */
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
 * Deletes a user's sessions except one, their pending second steps, and the sessions in which they impersonate other users.
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
