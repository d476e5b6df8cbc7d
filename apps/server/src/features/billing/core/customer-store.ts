import type { Tx } from '../../../context.ts'
import { findAccountByCustomer } from './store.ts'

/** Customers of the account that were deleted at the provider, the newest first. */
export async function findFormerCustomers(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('former_customers')
    .select('customer_id')
    .where('account_id', '=', accountId)
    .orderBy('removed_at', 'desc')
    .execute()
  return rows.map(row => row.customer_id)
}

/** The account that has or had this customer. */
export async function findAccountOfCustomer(tx: Tx, customer: string): Promise<{ id: string } | undefined> {
  const now = await findAccountByCustomer(tx, customer)
  if (now) return now
  return tx
    .selectFrom('former_customers')
    .select('account_id as id')
    .where('customer_id', '=', customer)
    .executeTakeFirst()
}

export async function insertFormerCustomer(
  tx: Tx,
  row: { customer_id: string; account_id: string; removed_at: Date },
) {
  await tx
    .insertInto('former_customers')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
