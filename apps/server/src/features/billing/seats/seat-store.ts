import { sql } from 'kysely'
import type { Tx } from '../../../context.ts'

export type SeatChange = { account_id: string; version: number }

/** Changes that are not synced yet, oldest first, without those changed or tried just now. */
export async function findDueSeats(
  tx: Tx,
  by: { changedBefore: Date; triedBefore: Date; limit: number },
): Promise<SeatChange[]> {
  const rows = await tx
    .selectFrom('seat_changes')
    .select(['account_id', 'version'])
    .whereRef('synced_version', '<', 'version')
    .where('changed_at', '<=', by.changedBefore)
    .where(eb => eb.or([eb('tried_at', 'is', null), eb('tried_at', '<=', by.triedBefore)]))
    .orderBy('changed_at')
    .limit(by.limit)
    .execute()
  return rows.map(({ account_id, version }) => ({ account_id, version: Number(version) }))
}

/** The paid plan of an account and its number of members. Undefined when it is gone. */
export async function findSeats(tx: Tx, accountId: string) {
  return tx
    .selectFrom('accounts as a')
    .leftJoin('subscriptions as s', 's.account_id', 'a.id')
    .select(eb => [
      'a.stripe_customer_id as customer',
      's.provider_sub_id as subscription',
      's.seats',
      's.status',
      's.plan',
      eb
        .selectFrom('memberships as m')
        .select(count => count.fn.countAll<number>().as('count'))
        .whereRef('m.account_id', '=', 'a.id')
        .as('members'),
      eb
        .exists(
          eb
            .selectFrom('billing_attempts as b')
            .select('b.id')
            .whereRef('b.account_id', '=', 'a.id')
            .where('b.state', 'in', ['started', 'action_required']),
        )
        .as('paying'),
    ])
    .where('a.id', '=', accountId)
    .executeTakeFirst()
}

export async function markSeatsSynced(tx: Tx, { account_id, version }: SeatChange) {
  await tx
    .updateTable('seat_changes')
    .set({ synced_version: version })
    .where('account_id', '=', account_id)
    .where('synced_version', '<', version)
    .execute()
}

/** @param renewed use a new idempotency key, because the provider repeats its reply to a key for a day */
export async function postponeSeatSync(
  tx: Tx,
  { account_id, version }: SeatChange,
  now: Date,
  renewed: boolean,
) {
  await tx
    .updateTable('seat_changes')
    .set({ tried_at: now, ...(renewed && { version: sql`version + 1` }) })
    .where('account_id', '=', account_id)
    .where('version', '=', version)
    .execute()
}

/** Requests a sync of the account's seats, as a change of its members does. */
export async function requestSeatSync(tx: Tx, accountId: string, now: Date) {
  await tx
    .insertInto('seat_changes')
    .values({ account_id: accountId, changed_at: now })
    .onConflict(conflict =>
      conflict.column('account_id').doUpdateSet({ version: sql`seat_changes.version + 1`, changed_at: now }),
    )
    .execute()
}
