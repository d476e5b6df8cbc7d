import type { Tx } from '../../db/transaction.ts'
import type { EndedSession, SessionScope } from '../../identity/session-store.ts'

/** Sessions that have not expired, most recently used first. */
export function findLiveSessions(tx: Tx, { user_id, account_id = null }: SessionScope, now: Date) {
  return tx
    .selectFrom('sessions')
    .$if(account_id !== null, query => query.where('sessions.account_id', '=', account_id))
    .select([
      'sessions.id',
      'sessions.user_agent',
      'sessions.network',
      'sessions.method',
      'sessions.created_at',
      'sessions.last_used_at',
      'sessions.idle_seconds',
    ])
    .where('sessions.user_id', '=', user_id)
    .where('sessions.expires_at', '>', now)
    .orderBy('sessions.last_used_at', 'desc')
    .orderBy('sessions.id', 'desc')
    .execute()
}

/** The sign-in of a session. It stays the same when the token or the account changes. */
export async function findSignIn(
  tx: Tx,
  { user_id, account_id = null }: SessionScope,
  sessionId: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sessions')
    .select('sign_in_id')
    .where('id', '=', sessionId)
    .where('user_id', '=', user_id)
    .$if(account_id !== null, query => query.where('account_id', '=', account_id))
    .executeTakeFirst()
  return row?.sign_in_id
}

export function removeSignIn(
  tx: Tx,
  { user_id, account_id = null }: SessionScope,
  signInId: string,
): Promise<EndedSession[]> {
  return tx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .$if(account_id !== null, query => query.where('account_id', '=', account_id))
    .where('sign_in_id', '=', signInId)
    .returning(['id', 'account_id', 'sign_in_id', 'browser_hash'])
    .execute()
}

/** Deletes devices: the next sign-in with one of them is mailed as a new device. */
export async function removeDevices(tx: Tx, userId: string, browsers: Buffer[]) {
  if (browsers.length === 0) return
  await tx.deleteFrom('devices').where('user_id', '=', userId).where('browser_hash', 'in', browsers).execute()
}

export async function removeDevicesSince(tx: Tx, userId: string, since: Date) {
  await tx.deleteFrom('devices').where('user_id', '=', userId).where('first_used_at', '>=', since).execute()
}

/** A new session and its user, for the mail about a new device; undefined when the session has ended or the user is unverified. */
export function findNewDeviceMail(tx: Tx, sessionId: string) {
  return tx
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.sign_in_id',
      'sessions.account_id',
      'sessions.user_id',
      'sessions.user_agent',
      'sessions.network',
      'sessions.created_at',
      'users.email',
      'users.first_name',
      'users.locale',
    ])
    .where('sessions.id', '=', sessionId)
    .where('users.verified_at', 'is not', null)
    .executeTakeFirst()
}

type Link = { token_hash: Buffer; sign_in_id: string; user_id: string; created_at: Date; expires_at: Date }

/** @returns false when the session has a link already, because the job is repeated after a crash */
export async function insertSignInLink(tx: Tx, link: Link): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('sign_in_links')
    .values(link)
    .onConflict(conflict => conflict.column('sign_in_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function findUserOfLink(tx: Tx, tokenHash: Buffer): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sign_in_links')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.user_id
}

/** Uses a link once. */
export function consumeSignInLink(tx: Tx, tokenHash: Buffer, now: Date) {
  return tx
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning(['sign_in_id', 'user_id', 'created_at'])
    .executeTakeFirst()
}
