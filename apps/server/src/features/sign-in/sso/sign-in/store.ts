import type { Tx } from '../../../../db/transaction.ts'
import { textsOf } from '../store.ts'

export async function findConnectionById(tx: Tx, id: string) {
  const row = await tx.selectFrom('sso_connections').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? { ...row, certificates: textsOf(row.certificates) } : null
}

/**
 * Locks the connection after the user's row and the account's. A parallel change waits and ends the session, or has
 * happened and is seen here.
 */
export async function lockConnection(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('sso_connections')
    .selectAll()
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return row ? { ...row, certificates: textsOf(row.certificates) } : null
}

export function findConnectionForDomain(tx: Tx, domain: string) {
  return tx
    .selectFrom('sso_domains')
    .innerJoin('sso_connections', 'sso_connections.account_id', 'sso_domains.account_id')
    .select('sso_connections.id')
    .where('sso_domains.domain', '=', domain)
    .where('sso_domains.proven_at', 'is not', null)
    .where('sso_connections.enabled_at', 'is not', null)
    .executeTakeFirst()
}

/** At most two rows: the caller uses none when several connections have the issuer. */
export function listEnabledOfIssuer(tx: Tx, issuer: string) {
  return tx
    .selectFrom('sso_connections')
    .select('id')
    .where('idp_entity_id', '=', issuer)
    .where('enabled_at', 'is not', null)
    .limit(2)
    .execute()
}

export async function isDomainVerified(tx: Tx, accountId: string, domain: string): Promise<boolean> {
  const row = await tx
    .selectFrom('sso_domains')
    .select('id')
    .where('account_id', '=', accountId)
    .where('domain', '=', domain)
    .where('proven_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** @param passedAt when the test succeeded */
export async function saveTestResult(tx: Tx, id: string, result: object, passedAt: Date | null) {
  await tx
    .updateTable('sso_connections')
    .set({ test_result: JSON.stringify(result), ...(passedAt ? { tested_at: passedAt } : {}) })
    .where('id', '=', id)
    .execute()
}

export async function insertRequest(
  tx: Tx,
  row: {
    id: string
    relay_hash: Buffer
    connection_id: string
    purpose: 'sign_in' | 'test'
    browser_hash: Buffer
    created_at: Date
    expires_at: Date
  },
) {
  await tx.insertInto('saml_requests').values(row).execute()
}

/** Does not use the request: a forged response must leave it for the genuine one. */
export function findRequest(tx: Tx, relayHash: Buffer, now: Date) {
  return tx
    .selectFrom('saml_requests')
    .select(['id', 'connection_id', 'purpose', 'browser_hash'])
    .where('relay_hash', '=', relayHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Uses a request and an assertion; of equal responses on any number of servers one gets true. */
export async function consumeSamlRequest(
  tx: Tx,
  by: { requestId: string; connectionId: string; assertionId: string; keepUntil: Date; now: Date },
): Promise<boolean> {
  // Before its request, in the order of the code that removes it, to avoid a deadlock.
  if (!(await lockConnection(tx, by.connectionId))) return false
  const request = await tx
    .deleteFrom('saml_requests')
    .where('id', '=', by.requestId)
    .where('connection_id', '=', by.connectionId)
    .where('expires_at', '>', by.now)
    .returning('id')
    .executeTakeFirst()
  const assertion = await tx
    .insertInto('saml_assertions')
    .values({ connection_id: by.connectionId, assertion_id: by.assertionId, keep_until: by.keepUntil })
    .onConflict(conflict => conflict.doNothing())
    .returning('assertion_id')
    .executeTakeFirst()
  return request !== undefined && assertion !== undefined
}

export async function insertSignInToken(
  tx: Tx,
  row: {
    id: string
    token_hash: Buffer
    connection_id: string
    browser_hash: Buffer
    sealed_person: string
    created_at: Date
    expires_at: Date
  },
) {
  await tx.insertInto('saml_sign_in_tokens').values(row).execute()
}

type SignInToken = { token_hash: Buffer; browser_hash: Buffer; now: Date }

/** Finds the token's connection before any row is locked; only for the browser that started. */
export function findSignInToken(tx: Tx, by: SignInToken) {
  return tx
    .selectFrom('saml_sign_in_tokens')
    .innerJoin('sso_connections', 'sso_connections.id', 'saml_sign_in_tokens.connection_id')
    .select([
      'saml_sign_in_tokens.id',
      'saml_sign_in_tokens.connection_id',
      'saml_sign_in_tokens.sealed_person',
      'sso_connections.account_id',
    ])
    .where('token_hash', '=', by.token_hash)
    .where('browser_hash', '=', by.browser_hash)
    .where('expires_at', '>', by.now)
    .executeTakeFirst()
}

/** Of parallel calls one gets true; a call of another browser leaves it unused. */
export async function consumeSignInToken(tx: Tx, by: SignInToken): Promise<boolean> {
  const taken = await tx
    .deleteFrom('saml_sign_in_tokens')
    .where('token_hash', '=', by.token_hash)
    .where('browser_hash', '=', by.browser_hash)
    .where('expires_at', '>', by.now)
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

type Identity = { connection_id: string; name_id: string }

export async function findIdentity(tx: Tx, by: Identity): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sso_identities')
    .select('user_id')
    .where('connection_id', '=', by.connection_id)
    .where('name_id', '=', by.name_id)
    .executeTakeFirst()
  return row?.user_id
}

/** @returns the user; undefined when the identity was just removed */
export async function touchIdentity(tx: Tx, by: Identity & { now: Date }) {
  const row = await tx
    .updateTable('sso_identities')
    .set({ last_used_at: by.now })
    .where('connection_id', '=', by.connection_id)
    .where('name_id', '=', by.name_id)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** @returns false when the connection has that NameID already */
export async function insertIdentity(
  tx: Tx,
  row: {
    id: string
    account_id: string
    connection_id: string
    name_id: string
    user_id: string
    created_at: Date
  },
): Promise<boolean> {
  const kept = await tx
    .insertInto('sso_identities')
    .values({ ...row, last_used_at: row.created_at })
    .onConflict(conflict => conflict.columns(['connection_id', 'name_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

export async function isMember(tx: Tx, accountId: string, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('memberships')
    .select('role')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** The new member uses the seat of the invite. */
export async function removeInviteTo(tx: Tx, accountId: string, email: string) {
  await tx.deleteFrom('invites').where('account_id', '=', accountId).where('email', '=', email).execute()
}

export async function nameOfAccount(tx: Tx, accountId: string): Promise<string> {
  const row = await tx.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirst()
  return row?.name ?? ''
}
