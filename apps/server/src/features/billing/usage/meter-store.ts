import type { Tx } from '../../../context.ts'

export type UnreportedUsage = { id: string; meter: string; quantity: number; occurred_at: Date }

const columns = ['e.id', 'e.meter', 'e.quantity', 'e.occurred_at'] as const

type Due = {
  /** Accounts to skip. */
  without: string[]
  /** Skips usage that was rejected after this time. */
  refusedBefore: Date
  limit: number
}

/** Metered usage that is not reported yet, oldest first. */
export function findUnreportedUsage(tx: Tx, { without, refusedBefore, limit }: Due) {
  return tx
    .selectFrom('usage_events as e')
    .innerJoin('accounts as a', 'a.id', 'e.account_id')
    .select([...columns, 'e.account_id', 'a.stripe_customer_id as customer'])
    .where('e.meter', 'is not', null)
    .where('e.sent_at', 'is', null)
    .where('a.stripe_customer_id', 'is not', null)
    .where(({ or, eb }) => or([eb('e.refused_at', 'is', null), eb('e.refused_at', '<', refusedBefore)]))
    .$if(without.length > 0, query => query.where('e.account_id', 'not in', without))
    .orderBy('e.created_at')
    .limit(limit)
    .$narrowType<{ meter: string; customer: string }>()
    .execute()
}

/** All of it for one account, rejected or not. */
export function findUnreportedUsageOf(tx: Tx, accountId: string): Promise<UnreportedUsage[]> {
  return tx
    .selectFrom('usage_events as e')
    .select(columns)
    .where('e.account_id', '=', accountId)
    .where('e.meter', 'is not', null)
    .where('e.sent_at', 'is', null)
    .$narrowType<{ meter: string }>()
    .execute()
}

/** Marks usage that the provider rejected. */
export async function markRefused(tx: Tx, ids: string[], now: Date) {
  if (ids.length > 0)
    await tx.updateTable('usage_events').set({ refused_at: now }).where('id', 'in', ids).execute()
}

export async function markReported(tx: Tx, ids: string[], now: Date) {
  if (ids.length > 0)
    await tx.updateTable('usage_events').set({ sent_at: now }).where('id', 'in', ids).execute()
}
