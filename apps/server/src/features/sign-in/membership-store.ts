import type { Tx } from '../../db/transaction.ts'

export function findMembership(tx: Tx, userId: string, accountId: string) {
  return tx
    .selectFrom('memberships')
    .select(['role', 'signed_out_at'])
    .where('user_id', '=', userId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}
