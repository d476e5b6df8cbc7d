import { CompiledQuery } from 'kysely'
import type { Actor, Counted } from '../../context.ts'
import { actorOf, type SessionFound } from '../../db/find-session.ts'
import type { Tx } from '../../db/open.ts'

export type SessionRow = {
  id: string
  token_hash: Buffer
  user_id: string
  method: string
  second_factor: boolean
  impersonator_id: string | null
  user_agent: string
  network: string
  /** Null for a browser that is none of the user's. */
  browser_hash: Buffer | null
  now: Date
  created_at: Date
  authenticated_at: Date
  /** Null: as long as the lifetimes allow. */
  expires_at: Date | null
  /** Of the session that this one replaces. */
  sign_in_id: string | null
  lifetimes: Lifetimes
}
type Lifetimes = Record<'user' | 'master', { idle: number; absolute: number }>

export type Opening = { account_id: string; two_factor: boolean; sso_required: boolean }
type Entered = {
  /** Null when the user is gone, or the password is not the one whose hash was verified any more. */
  opening: Opening | null
  /** Null when nothing was opened: something stands before it. */
  opened: { actor: Actor | null; new_device: boolean } | null
}

/**
 * Finds the account that a new session opens, and what stands before it for who comes in this way; unless something
 * does, writes the session and its device. The user's row is held from here on, so that whatever ends their sessions
 * waits for this one. `new_device`: neither browser nor network was seen with this user before, who has others, or it is
 * the first one of somebody who has long been proven.
 */
export async function enter(
  tx: Tx,
  by: { wanted: string | null; password_hash: string | null; asks: boolean },
  row: SessionRow,
): Promise<Entered> {
  const found = await one<EnteredJson>(
    tx,
    'enter($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)',
    [
      row.user_id,
      by.wanted,
      row.method,
      by.password_hash,
      by.asks,
      row.id,
      row.token_hash,
      row.second_factor,
      row.impersonator_id,
      row.user_agent,
      row.network,
      row.browser_hash,
      row.now,
      row.created_at,
      row.authenticated_at,
      row.expires_at,
      row.sign_in_id,
      JSON.stringify(row.lifetimes),
      false,
    ],
  )
  return enteredOf(found)
}

/**
 * The same for a right password, in one statement that needs no transaction: it also does what is `counted`. Nothing is
 * opened where a challenge or a mail must be written with it.
 * @returns `wait`: the milliseconds until this user's passwords count again; with it, nothing was opened
 */
export async function signIn(
  tx: Tx,
  password_hash: string,
  row: SessionRow,
  counted: Counted | null,
): Promise<Entered & { wait: number | null }> {
  const found = await one<EnteredJson & { wait?: number }>(
    tx,
    'sign_in($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)',
    [
      row.user_id,
      password_hash,
      row.id,
      row.token_hash,
      row.user_agent,
      row.network,
      row.browser_hash,
      row.now,
      JSON.stringify(row.lifetimes),
      counted?.keys,
      counted?.held,
      counted?.cleared,
      counted?.budget.key,
      counted?.budget.points,
      counted?.budget.seconds,
    ],
  )
  return { ...enteredOf(found), wait: found?.wait ?? null }
}

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

/** Ends a session and answers what its successor inherits. */
export function removeSession(tx: Tx, sessionId: string) {
  return tx
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .returning(['authenticated_at', 'expires_at', 'second_factor', 'created_at', 'sign_in_id'])
    .executeTakeFirst()
}

export async function findPasswordHash(tx: Tx, userId: string): Promise<string | null> {
  const row = await tx.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return row?.password_hash ?? null
}

/** The session counts as just signed in. */
export async function freshen(tx: Tx, sessionId: string, now: Date) {
  await tx.updateTable('sessions').set({ authenticated_at: now }).where('id', '=', sessionId).execute()
}

/** A user's row, held until the transaction ends: what was read with the session may be old by now. */
export function lockUser(tx: Tx, userId: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'locale', 'verified_at', 'password_hash', 'support_enabled'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/** Whom a mail about their own account goes to. */
export function findPerson(tx: Tx, userId: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'locale'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

export async function hasPasskeys(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** How many ways in a user has beside a password: social providers, passkeys and single sign-on. */
export async function countWaysIn(tx: Tx, userId: string) {
  const count = (table: 'identities' | 'passkeys' | 'sso_identities') =>
    tx
      .selectFrom(table)
      .select(e => e.fn.countAll<string>().as('n'))
      .where('user_id', '=', userId)
  const { identities, passkeys, sso } = await tx
    .selectNoFrom([
      count('identities').as('identities'),
      count('passkeys').as('passkeys'),
      count('sso_identities').as('sso'),
    ])
    .executeTakeFirstOrThrow()
  return { identities: Number(identities), others: Number(passkeys) + Number(sso) }
}

/** Held beside other sign-ins, before a row of the user's is touched: whatever ends sessions holds it alone. */
export async function shareUser(tx: Tx, userId: string) {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forShare().execute()
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
    .select(['role', 'signed_out_at'])
    .where('user_id', '=', userId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

export type Purpose = 'verify_email' | 'magic' | 'reset'

export async function insertMailedToken(
  tx: Tx,
  row: {
    id: string
    token_hash: Buffer
    purpose: Purpose
    user_id: string
    email: string
    created_at: Date
    expires_at: Date
  },
) {
  await tx.insertInto('mailed_tokens').values(row).execute()
}

/** A new link voids the older ones of its kind. */
export async function removeMailedTokens(tx: Tx, userId: string, purpose: Purpose) {
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
  by: { token_hash: Buffer; purpose: Purpose; user_id: string; now: Date },
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

/**
 * Drops the unproven rows of an address, their sessions, and the accounts that only they were in.
 *
 * Locks: the users in order, then the accounts, as closing has it.
 */
export async function removeUnproven(tx: Tx, email: string, except: string | null) {
  const unproven = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('verified_at', 'is', null)
    .$if(except !== null, query => query.where('id', '!=', except))
    .orderBy('id')
    .forUpdate()
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

/** @returns false when the user was warned since then: of two at once one gets the row */
export async function takeWarning(tx: Tx, userId: string, now: Date, since: Date): Promise<boolean> {
  const row = await tx
    .insertInto('sign_in_warnings')
    .values({ user_id: userId, sent_at: now })
    .onConflict(conflict =>
      conflict.column('user_id').doUpdateSet({ sent_at: now }).where('sign_in_warnings.sent_at', '<=', since),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}
