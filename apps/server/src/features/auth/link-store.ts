import type { Tx } from '../../context.ts'
import type { Purpose } from './store.ts'

/** Who an address's link is for: its proven user, else the newest who claims it. */
export function findByAddress(tx: Tx, email: string) {
  return tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .orderBy(eb => eb('verified_at', 'is', null))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether a link was made already: its job runs again after a crash. */
export async function isMade(tx: Tx, id: string): Promise<boolean> {
  const found = await tx.selectFrom('mailed_tokens').select('id').where('id', '=', id).executeTakeFirst()
  return found !== undefined
}

/** A link that still works, with the user it is for as that user is now. */
export function findLink(tx: Tx, by: { token_hash: Buffer; purpose: Purpose; now: Date }) {
  return tx
    .selectFrom('mailed_tokens')
    .innerJoin('users', join =>
      join.onRef('users.id', '=', 'mailed_tokens.user_id').onRef('users.email', '=', 'mailed_tokens.email'),
    )
    .select(['users.id as user_id', 'users.email', 'users.first_name', 'users.last_name'])
    .where('mailed_tokens.token_hash', '=', by.token_hash)
    .where('mailed_tokens.purpose', '=', by.purpose)
    .where('mailed_tokens.used_at', 'is', null)
    .where('mailed_tokens.expires_at', '>', by.now)
    .executeTakeFirst()
}

/** Whether the proven user has signed in with this browser: what an unproven one has used may be a stranger's. */
export async function knowsBrowser(
  tx: Tx,
  user: { id: string; verified_at: Date | null },
  browser: Buffer,
): Promise<boolean> {
  if (!user.verified_at) return false
  const found = await tx
    .selectFrom('devices')
    .select('user_id')
    .where('user_id', '=', user.id)
    .where('browser_hash', '=', browser)
    .executeTakeFirst()
  return found !== undefined
}

/** Every link that was mailed to a user dies. */
export async function removeAllLinks(tx: Tx, userId: string) {
  await tx.deleteFrom('mailed_tokens').where('user_id', '=', userId).where('used_at', 'is', null).execute()
}

/** Signed out everywhere, support's own visits to others included, and no second step is left half done. */
export async function removeAllSessions(tx: Tx, userId: string) {
  await tx
    .deleteFrom('sessions')
    .where(eb => eb.or([eb('user_id', '=', userId), eb('impersonator_id', '=', userId)]))
    .execute()
  await tx.deleteFrom('challenges').where('user_id', '=', userId).execute()
}

/** All of them but one. */
export async function removeOtherSessions(tx: Tx, userId: string, keep: string) {
  await tx
    .deleteFrom('sessions')
    .where(eb => eb.or([eb('user_id', '=', userId), eb('impersonator_id', '=', userId)]))
    .where('id', '!=', keep)
    .execute()
  await tx.deleteFrom('challenges').where('user_id', '=', userId).execute()
}

export async function setPassword(tx: Tx, userId: string, password_hash: string) {
  await tx.updateTable('users').set({ password_hash }).where('id', '=', userId).execute()
}

/** @returns whether there was a password */
export async function removePassword(tx: Tx, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash: null })
    .where('id', '=', userId)
    .where('password_hash', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The hash of a password that somebody else has chosen for a user; null for one's own. */
export async function findGivenPassword(tx: Tx, userId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .where('password_given', '=', true)
    .executeTakeFirst()
  return row?.password_hash ?? null
}

/** False when it is not the one any more. */
export async function replaceGivenPassword(
  tx: Tx,
  userId: string,
  given: string,
  own: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash: own, password_given: false })
    .where('id', '=', userId)
    .where('password_hash', '=', given)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The second factor, and every way in besides the password. */
export async function removeOtherGuards(tx: Tx, userId: string) {
  await tx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
  await tx.deleteFrom('identities').where('user_id', '=', userId).execute()
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

/** Whom the user lets in, and where they are let in themselves, as if it had never been said. */
export async function forgetChoices(tx: Tx, userId: string) {
  await tx
    .updateTable('users')
    .set({ support_enabled: false, default_account_id: null })
    .where('id', '=', userId)
    .execute()
}

export function findAccounts(tx: Tx, userId: string): Promise<{ id: string; name: string }[]> {
  return tx
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['accounts.id', 'accounts.name'])
    .where('memberships.user_id', '=', userId)
    .execute()
}
