import { CompiledQuery } from 'kysely'
import type { Tx } from '../../../db/transaction.ts'

export type IdentityRow = {
  id: string
  user_id: string
  provider: string
  issuer: string
  subject: string
  email: string | null
  created_at: Date
  last_used_at: Date
}

export type FlowRow = {
  id: string
  state_hash: Buffer
  browser: Buffer
  provider: string
  issuer: string
  user_id: string | null
  session_id: string | null
  sealed: string
  created_at: Date
  expires_at: Date
}

export type SignInTokenRow = {
  id: string
  token_hash: Buffer
  browser: Buffer
  sealed: string
  created_at: Date
  expires_at: Date
}

type Key = { issuer: string; subject: string }

export async function insertFlow(tx: Tx, row: FlowRow) {
  await tx.insertInto('social_flows').values(row).execute()
}

/** Uses a flow once, for the browser and the provider it was started with. */
export function consumeFlow(
  tx: Tx,
  by: { state_hash: Buffer; browser: Buffer; provider: string; issuer: string; now: Date },
) {
  return tx
    .deleteFrom('social_flows')
    .where('state_hash', '=', by.state_hash)
    .where('browser', '=', by.browser)
    .where('provider', '=', by.provider)
    .where('issuer', '=', by.issuer)
    .where('expires_at', '>', by.now)
    .returning(['id', 'sealed', 'user_id', 'session_id'])
    .executeTakeFirst()
}

export async function insertSignInToken(tx: Tx, row: SignInTokenRow) {
  await tx.insertInto('social_sign_in_tokens').values(row).execute()
}

/** Of parallel calls one gets the row. */
export function consumeSignInToken(tx: Tx, by: { token_hash: Buffer; browser: Buffer; now: Date }) {
  return tx
    .deleteFrom('social_sign_in_tokens')
    .where('token_hash', '=', by.token_hash)
    .where('browser', '=', by.browser)
    .where('expires_at', '>', by.now)
    .returning(['id', 'sealed'])
    .executeTakeFirst()
}

/** Locks an identity on all servers, also before it has a row. */
export async function lockIdentity(tx: Tx, { issuer, subject }: Key) {
  await tx.executeQuery(
    CompiledQuery.raw('select pg_advisory_xact_lock(hashtextextended($1, 11))', [`${issuer} ${subject}`]),
  )
}

export function findIdentity(tx: Tx, { issuer, subject }: Key) {
  return tx
    .selectFrom('identities')
    .select(['id', 'user_id'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function hasProvider(tx: Tx, userId: string, provider: string): Promise<boolean> {
  const row = await tx
    .selectFrom('identities')
    .select('id')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row !== undefined
}

export function listIdentities(tx: Tx, userId: string) {
  return tx
    .selectFrom('identities')
    .select(['id', 'provider', 'email', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
}

/** Connects the identity again if the user had disconnected it. */
export async function insertIdentity(tx: Tx, row: IdentityRow) {
  await tx.insertInto('identities').values(row).execute()
  await tx
    .deleteFrom('disconnected_identities')
    .where('user_id', '=', row.user_id)
    .where('issuer', '=', row.issuer)
    .where('subject', '=', row.subject)
    .execute()
}

/** Whether the user has disconnected this identity and not connected it again. */
export async function isDisconnected(tx: Tx, userId: string, { issuer, subject }: Key): Promise<boolean> {
  const row = await tx
    .selectFrom('disconnected_identities')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when it has been disconnected */
export async function markUsed(
  tx: Tx,
  id: string,
  change: { email: string | null; last_used_at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('identities')
    .set(change)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Remembers the disconnection: otherwise the next sign-in with the same address would connect it again. */
export async function removeIdentity(tx: Tx, userId: string, id: string) {
  const removed = await tx
    .deleteFrom('identities')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(['provider', 'issuer', 'subject'])
    .executeTakeFirst()
  if (!removed) return undefined
  const { provider, issuer, subject } = removed
  await tx
    .insertInto('disconnected_identities')
    .values({ user_id: userId, issuer, subject })
    .onConflict(on => on.doNothing())
    .execute()
  return { provider }
}
