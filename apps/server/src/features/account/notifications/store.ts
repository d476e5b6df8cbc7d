import type { NotificationName } from '@plinth/contract/endpoints/notifications'
import type { Tx } from '../../../db/transaction.ts'

type Whose = { account_id: string; user_id: string }

/** The user's settings in an account; a mail without a row is on. */
export function findSettings(tx: Tx, { account_id, user_id }: Whose) {
  return tx
    .selectFrom('notification_settings')
    .select(['name', 'active'])
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .execute()
}

export async function saveSettings(
  tx: Tx,
  whose: Whose,
  chosen: { name: NotificationName; active: boolean }[],
  updated_at: Date,
) {
  await tx
    .insertInto('notification_settings')
    .values(chosen.map(setting => ({ ...whose, ...setting, updated_at })))
    .onConflict(conflict =>
      conflict.columns(['account_id', 'user_id', 'name']).doUpdateSet(eb => ({
        active: eb.ref('excluded.active'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute()
}
