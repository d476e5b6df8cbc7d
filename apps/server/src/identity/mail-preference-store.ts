import type { NotificationName } from '@plinth/contract/endpoints/notifications'
import type { Tx } from '../db/transaction.ts'

export async function isMailOff(
  tx: Tx,
  { account_id, user_id }: { account_id: string; user_id: string },
  name: NotificationName,
) {
  const row = await tx
    .selectFrom('notification_settings')
    .select('active')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.active === false
}

/** The verified members with one of these roles who have not switched this mail off. */
export function findMailRecipients(tx: Tx, accountId: string, roles: string[], name: NotificationName) {
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
