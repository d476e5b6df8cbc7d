import type { Tx } from '../db/transaction.ts'

/** Locks the user's row until the transaction ends; the session's copy of it may be stale. */
export function lockUser(tx: Tx, userId: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'locale', 'verified_at', 'password_hash', 'support_enabled'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Share-locks the user's row. A sign-in takes this lock before it touches other rows of the user; code that ends sessions
 * takes the exclusive one, so it waits for the sign-in and finds its session.
 */
export async function shareLockUser(tx: Tx, userId: string) {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forShare().execute()
}

/** The fields that a mail to the user needs. */
export function findUser(tx: Tx, userId: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'locale'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** The verified user of an address. May change at once unless the transaction holds the address (lockEmail). */
export function findVerifiedUser(tx: Tx, email: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'first_name', 'locale'])
    .where('email', '=', email)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
}

export function findAccountsOfUser(tx: Tx, userId: string): Promise<{ id: string; name: string }[]> {
  return tx
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['accounts.id', 'accounts.name'])
    .where('memberships.user_id', '=', userId)
    .execute()
}

export async function findPasswordHash(tx: Tx, userId: string): Promise<string | null> {
  const row = await tx.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return row?.password_hash ?? null
}

/** The hash of a password that an admin chose for the user; null when the user chose it. */
export async function findGivenPassword(tx: Tx, userId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .where('password_given', '=', true)
    .executeTakeFirst()
  return row?.password_hash ?? null
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
