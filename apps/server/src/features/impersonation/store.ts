import type { Tx } from '../../db/transaction.ts'

export type ImpersonationRow = {
  id: string
  token_hash: Buffer
  master_id: string
  user_id: string
  account_id: string
  created_at: Date
  expires_at: Date
}

/** A master, and whether they have a second factor. */
export function findMaster(tx: Tx, email: string) {
  return tx
    .selectFrom('masters')
    .innerJoin('users', 'users.id', 'masters.user_id')
    .leftJoin('two_factors', 'two_factors.user_id', 'users.id')
    .where('users.email', '=', email)
    .where('users.verified_at', 'is not', null)
    .select(['users.id', 'two_factors.enabled_at as second_factor_at'])
    .executeTakeFirst()
}

/** The user's accounts, the default one first. */
export function findTargets(tx: Tx, email: string) {
  return tx
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .leftJoin('masters', 'masters.user_id', 'users.id')
    .where('users.email', '=', email)
    .where('users.verified_at', 'is not', null)
    .select([
      'users.id as user_id',
      'users.support_enabled',
      'masters.user_id as master_id',
      'accounts.id as account_id',
    ])
    .orderBy(eb =>
      eb.case().when('accounts.id', '=', eb.ref('users.default_account_id')).then(0).else(1).end(),
    )
    .orderBy('memberships.created_at')
    .execute()
}

export async function insertImpersonation(tx: Tx, row: ImpersonationRow) {
  await tx.insertInto('impersonations').values(row).execute()
}

export async function findImpersonated(tx: Tx, tokenHash: Buffer): Promise<string | undefined> {
  const row = await tx
    .selectFrom('impersonations')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.user_id
}

/** Uses a link once, for the master it was created for and a user who still consents. */
export function consumeImpersonation(tx: Tx, by: { token_hash: Buffer; master_id: string; now: Date }) {
  return tx
    .updateTable('impersonations')
    .from('users')
    .set({ used_at: by.now })
    .where('impersonations.token_hash', '=', by.token_hash)
    .where('impersonations.master_id', '=', by.master_id)
    .where('impersonations.used_at', 'is', null)
    .where('impersonations.expires_at', '>', by.now)
    .whereRef('users.id', '=', 'impersonations.user_id')
    .where('users.support_enabled', '=', true)
    .returning([
      'impersonations.id',
      'impersonations.user_id',
      'impersonations.account_id',
      'users.email',
      'users.first_name',
      'users.locale',
    ])
    .executeTakeFirst()
}
