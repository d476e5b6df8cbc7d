import type { Tx } from '../../db/open.ts'

export function findProfile(tx: Tx, userId: string, accountId: string) {
  return tx
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .where('users.id', '=', userId)
    .where('memberships.account_id', '=', accountId)
    .select([
      'users.id',
      'users.first_name',
      'users.last_name',
      'users.email',
      'users.avatar',
      'users.verified_at',
      'users.password_hash',
      'users.dark_mode',
      'users.locale',
      'users.default_account_id',
      'users.duplicate_user',
      'users.onboarded_at',
      'users.created_at as date_created',
      'accounts.id as account_id',
      'accounts.name as account_name',
    ])
    .executeTakeFirst()
}

export type UserChange = Partial<{
  first_name: string
  last_name: string
  email: string
  dark_mode: boolean
  onboarded_at: Date | null
  locale: string
}>

export async function updateUser(tx: Tx, userId: string, change: UserChange) {
  await tx.updateTable('users').set(change).where('id', '=', userId).execute()
}

export async function updateAccountName(tx: Tx, accountId: string, name: string) {
  await tx.updateTable('accounts').set({ name }).where('id', '=', accountId).execute()
}
