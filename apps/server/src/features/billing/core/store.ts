import type { PlanId } from '@plinth/contract/plans'
import { CompiledQuery } from 'kysely'
import type { Tx } from '../../../db/transaction.ts'
import { invariant } from '../../../lib/invariant.ts'

const accountColumns = [
  'id',
  'name',
  'plan',
  'stripe_customer_id',
  'trialed_at',
  'billing_read_applied',
] as const

export function findAccount(tx: Tx, id: string) {
  return tx.selectFrom('accounts').select(accountColumns).where('id', '=', id).executeTakeFirstOrThrow()
}

export function findAccountByCustomer(tx: Tx, customer: string) {
  return tx.selectFrom('accounts').select('id').where('stripe_customer_id', '=', customer).executeTakeFirst()
}

export type AccountChange = {
  plan?: PlanId
  stripe_customer_id?: string | null
  trialed_at?: Date
  billing_read_applied?: number
}

export async function updateAccount(tx: Tx, id: string, change: AccountChange) {
  await tx.updateTable('accounts').set(change).where('id', '=', id).execute()
}

/** Numbers a read of the provider, so that an older read is not applied after a newer one. */
export async function beginRead(tx: Tx, accountId: string): Promise<number> {
  const { rows } = await tx.executeQuery<{ billing_reads: number }>(
    CompiledQuery.raw(
      'update accounts set billing_reads = billing_reads + 1 where id = $1 returning billing_reads',
      [accountId],
    ),
  )
  return invariant(rows[0], `account ${accountId}`).billing_reads
}

/** The provider's contact of the account: its first owner. */
export function findPayer(tx: Tx, accountId: string) {
  return tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.email'])
    .where('memberships.account_id', '=', accountId)
    .where('memberships.role', '=', 'owner')
    .orderBy('memberships.created_at')
    .limit(1)
    .executeTakeFirstOrThrow()
}

export function findSubscription(tx: Tx, accountId: string) {
  return tx.selectFrom('subscriptions').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

export type SubscriptionRow = {
  account_id: string
  provider_sub_id: string | null
  plan: PlanId
  pending_plan: PlanId | null
  provider_status: string
  status: string
  seats: number
  seat_price: number
  cancel_at_period_end: boolean
  current_period_start: Date | null
  current_period_end: Date | null
  trial_end: Date | null
  collection_paused: boolean
  collection_resumes_at: Date | null
  synced_at: Date
}

export async function saveSubscription(tx: Tx, row: SubscriptionRow) {
  const { account_id, ...rest } = row
  await tx
    .insertInto('subscriptions')
    .values(row)
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(rest))
    .execute()
}
