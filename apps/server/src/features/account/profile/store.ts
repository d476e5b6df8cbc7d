import type { Tx } from '../../../db/transaction.ts'

export function findProfile(tx: Tx, userId: string, accountId: string) {
  return tx
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .where('users.id', '=', userId)
    .where('memberships.account_id', '=', accountId)
    .select(eb => [
      'users.id',
      'users.first_name',
      'users.last_name',
      'users.email',
      'users.avatar',
      'users.verified_at',
      'users.password_hash',
      'users.dark_mode',
      'users.support_enabled',
      'users.locale',
      'users.default_account_id',
      'users.duplicate_user',
      'users.onboarded_at',
      eb.fn<boolean>('has_two_factor', ['users.id']).as('two_factor'),
      eb.fn<string | null>('pending_email', ['users.id']).as('pending_email'),
      'users.created_at as date_created',
      'accounts.id as account_id',
      'accounts.name as account_name',
      'memberships.last_login_at',
    ])
    .executeTakeFirst()
}

export type UserChange = Partial<{
  first_name: string
  last_name: string
  email: string
  dark_mode: boolean
  dark_mode_chosen: boolean
  onboarded_at: Date | null
  locale: string
  support_enabled: boolean
  default_account_id: string | null
  avatar: string | null
}>

export async function updateUser(tx: Tx, userId: string, change: UserChange) {
  await tx.updateTable('users').set(change).where('id', '=', userId).execute()
}

/** Ends the sessions of support staff acting as the user. */
export async function endSupportSessions(tx: Tx, userId: string) {
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('impersonator_id', 'is not', null)
    .execute()
}

export async function updateAccountName(tx: Tx, accountId: string, name: string) {
  await tx.updateTable('accounts').set({ name }).where('id', '=', accountId).execute()
}

export async function isMember(tx: Tx, userId: string, accountId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when the password has changed since */
export async function replacePassword(
  tx: Tx,
  userId: string,
  before: string | null,
  password_hash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash })
    .where('id', '=', userId)
    .where('password_hash', 'is not distinct from', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function findOwnerNames(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.first_name', 'users.last_name'])
    .where('memberships.account_id', '=', accountId)
    .where('memberships.role', '=', 'owner')
    .orderBy('users.id')
    .execute()
  return rows.map(({ first_name, last_name }) => `${first_name} ${last_name}`.trim())
}
