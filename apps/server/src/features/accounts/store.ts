import type { Tx } from '../../db/open.ts'

export type NewUser = {
  id: string
  email: string
  first_name: string
  last_name: string
  password_hash: string
  locale: string
  created_at: Date
  /** Set where the way in has proven the address. */
  verified_at?: Date
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
