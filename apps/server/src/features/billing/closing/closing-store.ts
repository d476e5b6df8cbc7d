import type { Tx } from '../../../context.ts'
import type { UnreportedUsage } from '../usage/meter-store.ts'

/** The account's customer at the provider, whether it may have one that we don't know of, and what brought no plan. */
export async function findCustomer(tx: Tx, accountId: string) {
  const { customer_id } = await tx
    .selectFrom('accounts')
    .select('stripe_customer_id as customer_id')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const unmet = await tx
    .selectFrom('billing_attempts')
    .select(['id', 'kind'])
    .where('account_id', '=', accountId)
    .where('state', '<>', 'done')
    .execute()
  return {
    customer_id,
    // Made, perhaps, by somebody who is paying right now, or by a call whose answer was lost.
    unknown: customer_id === null && unmet.length > 0,
    attempts: unmet.flatMap(({ id, kind }) => (kind === 'first' ? [id] : [])),
  }
}

export type Closing = {
  account_id: string
  closed_by: string
  customer_id: string | null
  /** First choices that brought no plan. */
  attempts: string[]
  usage: UnreportedUsage[]
  closed_at: Date
  settled_at: Date | null
}

export async function insertClosing(tx: Tx, { usage, attempts, ...row }: Closing) {
  await tx
    .insertInto('closings')
    .values({ ...row, usage: JSON.stringify(usage), attempts: JSON.stringify(attempts) })
    .execute()
}

export function findClosing(tx: Tx, accountId: string) {
  return tx
    .selectFrom('closings')
    .select(['customer_id', 'attempts', 'settled_at', 'usage'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

export async function markSettled(tx: Tx, accountId: string, settled_at: Date) {
  await tx
    .updateTable('closings')
    .set({ settled_at, usage: '[]', attempts: '[]' })
    .where('account_id', '=', accountId)
    .execute()
}

export async function findUnsettled(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('closings')
    .select('account_id')
    .where('settled_at', 'is', null)
    .orderBy('closed_at')
    .limit(limit)
    .execute()
  return rows.map(row => row.account_id)
}
