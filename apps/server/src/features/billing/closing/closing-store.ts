import type { Tx } from '../../../context.ts'
import type { UnreportedUsage } from '../usage/meter-store.ts'

/**
 * The account's customer, whether the provider may have one that we do not know, and its attempts that are
 * not done.
 */
export async function findCustomer(tx: Tx, accountId: string) {
  const { customer_id } = await tx
    .selectFrom('accounts')
    .select('stripe_customer_id as customer_id')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const incomplete = await tx
    .selectFrom('billing_attempts')
    .select(['id', 'kind'])
    .where('account_id', '=', accountId)
    .where('state', '<>', 'done')
    .execute()
  return {
    customer_id,
    // A running call, or one whose reply was lost, may have created it.
    unknown: customer_id === null && incomplete.length > 0,
    attempts: incomplete.flatMap(({ id, kind }) => (kind === 'first' ? [id] : [])),
  }
}

export type Closing = {
  account_id: string
  closed_by: string
  customer_id: string | null
  /** First plans that did not complete. */
  attempts: string[]
  usage: UnreportedUsage[]
  closed_at: Date
  settled_at: Date | null
}

export async function insertClosing(tx: Tx, { usage, attempts, ...row }: Closing) {
  await tx
    .insertInto('account_closures')
    .values({ ...row, usage: JSON.stringify(usage), attempts: JSON.stringify(attempts) })
    .execute()
}

export function findClosing(tx: Tx, accountId: string) {
  return tx
    .selectFrom('account_closures')
    .select(['customer_id', 'attempts', 'settled_at', 'usage'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

export async function markSettled(tx: Tx, accountId: string, settled_at: Date) {
  await tx
    .updateTable('account_closures')
    .set({ settled_at, usage: '[]', attempts: '[]' })
    .where('account_id', '=', accountId)
    .execute()
}

export async function findUnsettled(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('account_closures')
    .select('account_id')
    .where('settled_at', 'is', null)
    .orderBy('closed_at')
    .limit(limit)
    .execute()
  return rows.map(row => row.account_id)
}
