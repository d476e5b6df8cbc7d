import { sql } from 'kysely'
import type { Tx } from '../../db/transaction.ts'

export type UsageRow = {
  id: string
  account_id: string
  api_key_id: string | null
  identifier: string
  quantity: number
  occurred_at: Date
  created_at: Date
  /** The payment provider's meter that counts it; null where the plan has none. */
  meter: string | null
}

/** @returns undefined when the account has a report with this identifier */
export const insertUsage = (tx: Tx, row: UsageRow) =>
  tx
    .insertInto('usage_events')
    .values(row)
    .onConflict(conflict => conflict.columns(['account_id', 'identifier']).doNothing())
    .returning('id')
    .executeTakeFirst()

export const findUsage = (tx: Tx, accountId: string, identifier: string) =>
  tx
    .selectFrom('usage_events')
    .select(['id', 'identifier', 'quantity', 'occurred_at'])
    .where('account_id', '=', accountId)
    .where('identifier', '=', identifier)
    .executeTakeFirst()

/** Adds to a month's total. @returns false when that would exceed the limit, also under concurrent calls */
export async function addMonthlyUsage(
  tx: Tx,
  accountId: string,
  { month, amount, limit }: { month: string; amount: number; limit: number },
): Promise<boolean> {
  if (amount > limit) return false
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('usage_months')
    .values({ account_id: accountId, month, total: amount })
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'month'])
        .doUpdateSet({ total: sql`usage_months.total + excluded.total` })
        .where(sql<boolean>`usage_months.total + excluded.total <= ${limit}`),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
