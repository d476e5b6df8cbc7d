import type { Tx } from '../../../context.ts'

/** Accounts with a customer at the provider, page by page in the order of their ids. */
export function findCustomers(
  tx: Tx,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ id: string; customer: string }[]> {
  return tx
    .selectFrom('accounts')
    .select(['id', 'stripe_customer_id as customer'])
    .where('stripe_customer_id', 'is not', null)
    .$if(after !== null, query => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .$narrowType<{ customer: string }>()
    .execute()
}

/** All columns that a fresh read of the provider can change; undefined when the account is gone. */
export function findBillingState(tx: Tx, accountId: string) {
  return tx
    .selectFrom('accounts as a')
    .leftJoin('subscriptions as s', 's.account_id', 'a.id')
    .select([
      'a.name',
      'a.plan',
      's.provider_sub_id as subscription',
      's.pending_plan',
      's.provider_status',
      's.status',
      's.seats',
      's.seat_price',
      's.cancel_at_period_end',
      's.current_period_start',
      's.current_period_end',
      's.trial_end',
      's.collection_paused',
      's.collection_resumes_at',
    ])
    .where('a.id', '=', accountId)
    .executeTakeFirst()
}
