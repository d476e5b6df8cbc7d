import type { NotificationName } from '@plinth/contract/endpoints/notifications'
import type { Tx } from '../../db/open.ts'

type Whose = { account_id: string; user_id: string }

/** What somebody chose of an account's mails; without a row they never did. */
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

/** Whether somebody switched this mail off. */
export async function isOff(tx: Tx, { account_id, user_id }: Whose, name: NotificationName) {
  const row = await tx
    .selectFrom('notification_settings')
    .select('active')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.active === false
}

/** The people of an account who hold one of these roles and did not switch this mail off. */
export function findWanting(tx: Tx, accountId: string, roles: string[], name: NotificationName) {
  return tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.account_id', '=', accountId)
    .where('memberships.role', 'in', roles)
    .where('users.verified_at', 'is not', null)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notification_settings as chosen')
            .select('chosen.user_id')
            .whereRef('chosen.account_id', '=', 'memberships.account_id')
            .whereRef('chosen.user_id', '=', 'memberships.user_id')
            .where('chosen.name', '=', name)
            .where('chosen.active', '=', false),
        ),
      ),
    )
    .select(['users.id', 'users.email', 'users.first_name', 'users.locale'])
    .orderBy('users.id')
    .execute()
}
