import { CompiledQuery } from 'kysely'
import type { Actor } from '../../context.ts'
import { actorOf, findSession, type SessionFound } from '../../db/find-session.ts'
import type { Tx } from '../../db/open.ts'

export type SessionRow = {
  id: string
  token_hash: Buffer
  user_id: string
  account_id: string
  method: string
  user_agent: string
  network: string
  now: Date
  authenticated_at: Date
  expires_at: Date
}

export type Candidate = { id: string; password_hash: string | null; verified_at: Date | null }

/** How many rows one address may try its password on; every refusal costs as many hashes (T-10). */
export const mostCandidates = 2

/**
 * Whom an address and password may sign in: the proven user first, then the newest unproven rows, which may be
 * several until one of them proves the address.
 */
export function findCandidates(tx: Tx, email: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'password_hash', 'verified_at'])
    .where('email', '=', email)
    .orderBy(eb => eb.case().when('verified_at', 'is', null).then(1).else(0).end())
    .orderBy('created_at', 'desc')
    .limit(mostCandidates)
    .execute()
}

/** The account a new session opens: the wanted one if the user is in it, else the default one, else the oldest. */
export async function findOpening(
  tx: Tx,
  userId: string,
  wanted: string | null,
): Promise<string | undefined> {
  const { rows } = await tx.executeQuery<{ account_id: string }>(
    CompiledQuery.raw(
      `select m.account_id from memberships m join users u on u.id = m.user_id where m.user_id = $1
       order by (m.account_id = $2) desc nulls last, (m.account_id = u.default_account_id) desc nulls last, m.created_at limit 1`,
      [userId, wanted],
    ),
  )
  return rows[0]?.account_id
}

export async function insertSession(tx: Tx, row: SessionRow) {
  const { now, ...rest } = row
  await tx
    .insertInto('sessions')
    .values({ ...rest, created_at: now, last_used_at: now })
    .execute()
}

/** The session look-up, inside a transaction that has just written the session. */
export async function findActorBy(tx: Tx, tokenHash: Buffer, now: Date): Promise<Actor | null> {
  const { rows } = await tx.executeQuery<SessionFound>(CompiledQuery.raw(findSession, [tokenHash, now]))
  return actorOf(rows[0])
}

/** Ends a session and answers what its successor inherits. */
export function removeSession(tx: Tx, sessionId: string) {
  return tx
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .returning(['authenticated_at', 'expires_at'])
    .executeTakeFirst()
}

/** A user's row, held until the transaction ends: what was read with the session may be old by now. */
export function lockUser(tx: Tx, userId: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'locale', 'verified_at'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/** The address a live link was made for. */
export async function findMailedAddress(tx: Tx, tokenHash: Buffer, userId: string) {
  const row = await tx
    .selectFrom('mailed_tokens')
    .select('email')
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.email
}

export async function findMembership(tx: Tx, userId: string, accountId: string) {
  return tx
    .selectFrom('memberships')
    .select('role')
    .where('user_id', '=', userId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

export async function insertMailedToken(
  tx: Tx,
  row: {
    id: string
    token_hash: Buffer
    purpose: 'verify_email'
    user_id: string
    email: string
    created_at: Date
    expires_at: Date
  },
) {
  await tx.insertInto('mailed_tokens').values(row).execute()
}

/** A new link voids the older ones of its kind. */
export async function removeMailedTokens(tx: Tx, userId: string, purpose: 'verify_email') {
  await tx
    .deleteFrom('mailed_tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
}

/** Uses a mailed token up, once: of any number of parallel tries one gets the row. */
export function consumeMailedToken(
  tx: Tx,
  by: { token_hash: Buffer; purpose: 'verify_email'; user_id: string; now: Date },
) {
  return tx
    .updateTable('mailed_tokens')
    .set({ used_at: by.now })
    .where('token_hash', '=', by.token_hash)
    .where('purpose', '=', by.purpose)
    .where('user_id', '=', by.user_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', by.now)
    .returning(['email'])
    .executeTakeFirst()
}

/** One proof of an address at a time, whichever server it reaches. */
export async function lockAddress(tx: Tx, email: string) {
  await tx.executeQuery(CompiledQuery.raw('select pg_advisory_xact_lock(hashtextextended($1, 7))', [email]))
}

export function findVerifiedByEmail(tx: Tx, email: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'first_name', 'locale'])
    .where('email', '=', email)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
}

export async function markVerified(tx: Tx, user: { id: string; email: string }, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ verified_at: now })
    .where('id', '=', user.id)
    .where('email', '=', user.email)
    .where('verified_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error('The row that was held for verification changed')
}

/** Drops the unproven rows of an address, their sessions, and the accounts that only they were in. */
export async function removeUnproven(tx: Tx, email: string, except: string) {
  const unproven = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('verified_at', 'is', null)
    .where('id', '!=', except)
    .execute()
  if (unproven.length === 0) return
  const ids = unproven.map(user => user.id)
  await tx.executeQuery(
    CompiledQuery.raw(
      `delete from accounts a using memberships m where m.account_id = a.id and m.user_id = any($1)
       and not exists (select from memberships o where o.account_id = a.id and o.user_id <> all($1))`,
      [ids],
    ),
  )
  await tx.deleteFrom('users').where('id', 'in', ids).execute()
}

/** Moves an unproven user's accounts to the proven user of the same address; the unproven row goes. */
export async function attachAccounts(tx: Tx, from: string, to: string) {
  await tx.deleteFrom('sessions').where('user_id', '=', from).execute()
  await tx.updateTable('memberships').set({ user_id: to }).where('user_id', '=', from).execute()
  await tx
    .updateTable('users')
    .set({ duplicate_user: true, onboarded_at: null })
    .where('id', '=', to)
    .execute()
  await tx.deleteFrom('users').where('id', '=', from).execute()
}
