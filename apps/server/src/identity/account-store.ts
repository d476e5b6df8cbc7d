import { isRole, type Role } from '@plinth/contract/roles'
import { sql } from 'kysely'
import type { Tx } from '../db/transaction.ts'

export type NewUser = {
  id: string
  email: string
  first_name: string
  last_name: string
  /** Null for a user who signs in without one. */
  password_hash: string | null
  locale: string
  created_at: Date
  /** Set where the sign-in method has proven the address. */
  verified_at?: Date
  /** An admin chose the password and knows it. */
  password_given?: boolean
}

export async function insertUser(tx: Tx, user: NewUser) {
  await tx.insertInto('users').values(user).execute()
}

export async function insertAccount(tx: Tx, account: { id: string; name: string; created_at: Date }) {
  await tx.insertInto('accounts').values(account).execute()
}

export async function insertMembership(
  tx: Tx,
  row: { account_id: string; user_id: string; role: string; created_at: Date },
) {
  await tx.insertInto('memberships').values(row).execute()
}

/** The role of a user in an account; null for a user who is not a member. */
export async function findRole(tx: Tx, accountId: string, userId: string): Promise<Role | null> {
  const row = await tx
    .selectFrom('memberships')
    .select('role')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return isRole(row?.role) ? row.role : null
}

/**
 * Locks an account: changes of its billing and its members run one at a time. NO KEY, because rows that only refer to
 * the account need not wait.
 * @param by the user whose id the transaction writes (an invite, a key, a line of the log). That row is locked before the
 *   account, as in closing; null when the caller has locked it
 * @returns the account, or undefined when it is gone
 */
export async function lockAccount(tx: Tx, id: string, by: string | null = null) {
  if (by) await sql`select lock_user_against_delete(${by})`.execute(tx)
  return tx
    .selectFrom('accounts')
    .select(['id', 'name', 'plan', 'stripe_customer_id', 'trialed_at', 'billing_read_applied'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The count holds only under the account's lock. */
export async function countMembers(tx: Tx, accountId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('memberships')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}
