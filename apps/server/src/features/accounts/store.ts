import { sql } from 'kysely'
import type { Tx } from '../../db/open.ts'

export type NewUser = {
  id: string
  email: string
  first_name: string
  last_name: string
  /** Null for who came in without one. */
  password_hash: string | null
  locale: string
  created_at: Date
  /** Set where the way in has proven the address. */
  verified_at?: Date
  /** Somebody else has chosen the password, and knows it. */
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

export async function findRole(tx: Tx, accountId: string, userId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('memberships')
    .select('role')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}

/** Nobody removes the user until the transaction ends. */
export async function keepUser(tx: Tx, userId: string) {
  await sql`select keep_user(${userId})`.execute(tx)
}

/** NO KEY, because rows that only point at the account need not wait with it. */
export function lockAccount(tx: Tx, id: string) {
  return tx
    .selectFrom('accounts')
    .select(['id', 'name', 'plan', 'stripe_customer_id', 'trialed_at', 'billing_read_applied'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function countMembers(tx: Tx, accountId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('memberships')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}
