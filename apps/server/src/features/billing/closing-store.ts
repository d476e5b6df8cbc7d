import type { Tx } from '../../context.ts'
import type { Unsent } from './meter-store.ts'

/** The account's customer at the provider, and what somebody is paying for at this moment. */
export async function findCustomer(tx: Tx, accountId: string) {
  const { customer_id } = await tx
    .selectFrom('accounts')
    .select('stripe_customer_id as customer_id')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const open = await tx
    .selectFrom('billing_attempts')
    .select(['id', 'kind'])
    .where('account_id', '=', accountId)
    .where('state', 'in', ['started', 'action_required'])
    .executeTakeFirst()
  const attempt_id = open?.kind === 'first' ? open.id : null
  return { customer_id, paying: open !== undefined, attempt_id }
}

export type Closing = {
  account_id: string
  closed_by: string
  customer_id: string | null
  /** The first choice that was not paid for yet. */
  attempt_id: string | null
  usage: Unsent[]
  closed_at: Date
  settled_at: Date | null
}

export async function insertClosing(tx: Tx, { usage, ...row }: Closing) {
  await tx
    .insertInto('closings')
    .values({ ...row, usage: JSON.stringify(usage) })
    .execute()
}

export function findClosing(tx: Tx, accountId: string) {
  return tx
    .selectFrom('closings')
    .select(['customer_id', 'attempt_id', 'settled_at', 'usage'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

export async function markSettled(tx: Tx, accountId: string, settled_at: Date) {
  await tx
    .updateTable('closings')
    .set({ settled_at, usage: '[]' })
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
