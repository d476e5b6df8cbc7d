import type { Tx } from '../../context.ts'

export type Unsent = { id: string; meter: string; quantity: number; occurred_at: Date }

const columns = ['e.id', 'e.meter', 'e.quantity', 'e.occurred_at'] as const

/** Metered usage that the provider does not know of yet, the oldest first. @param without accounts to be passed over */
export function findUnsent(tx: Tx, { without, limit }: { without: string[]; limit: number }) {
  return tx
    .selectFrom('usage_events as e')
    .innerJoin('accounts as a', 'a.id', 'e.account_id')
    .select([...columns, 'e.account_id', 'a.stripe_customer_id as customer'])
    .where('e.meter', 'is not', null)
    .where('e.sent_at', 'is', null)
    .where('a.stripe_customer_id', 'is not', null)
    .$if(without.length > 0, query => query.where('e.account_id', 'not in', without))
    .orderBy('e.created_at')
    .limit(limit)
    .$narrowType<{ meter: string; customer: string }>()
    .execute()
}

/** The same of one account, all of it. */
export function findUnsentOf(tx: Tx, accountId: string): Promise<Unsent[]> {
  return tx
    .selectFrom('usage_events as e')
    .select(columns)
    .where('e.account_id', '=', accountId)
    .where('e.meter', 'is not', null)
    .where('e.sent_at', 'is', null)
    .$narrowType<{ meter: string }>()
    .execute()
}

export async function markSent(tx: Tx, ids: string[], now: Date) {
  if (ids.length > 0)
    await tx.updateTable('usage_events').set({ sent_at: now }).where('id', 'in', ids).execute()
}
