import type { Tx } from '../../../context.ts'

export type NotificationKind =
  | 'payment_failed'
  | 'payment_action'
  | 'trial_ends'
  | 'subscription_ended'
  | 'payment_refunded'
  | 'refund'
  | 'credit_note'
  | 'dispute'
  | 'dispute_closed'
  | 'second_subscription'
  | 'receipt'

/**
 * Marks that the owners were notified.
 * @returns false when they had been already
 */
export async function markNotified(
  tx: Tx,
  row: { account_id: string; kind: NotificationKind; object_id: string; sent_at: Date },
): Promise<boolean> {
  const rows = await tx
    .insertInto('billing_notifications_sent')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .returning('object_id')
    .execute()
  return rows.length > 0
}

/** The account's owners, regardless of their mail preferences, and its plan. */
export async function findOwners(tx: Tx, accountId: string) {
  const owners = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.email', 'users.first_name', 'users.locale'])
    .where('memberships.account_id', '=', accountId)
    .where('memberships.role', '=', 'owner')
    .execute()
  const { plan } = await tx
    .selectFrom('accounts')
    .select('plan')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { plan, owners }
}
