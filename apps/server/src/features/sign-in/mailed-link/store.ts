import type { Tx } from '../../../context.ts'
import type { Purpose } from '../../../identity/mailed-token-store.ts'

/** The user a link is mailed to: the verified user of the address, else the newest unverified one. */
export function findUserForLink(tx: Tx, email: string) {
  return tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .orderBy(eb => eb('verified_at', 'is', null))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether the job has created its link: it runs again after a crash. */
export async function hasToken(tx: Tx, id: string): Promise<boolean> {
  const found = await tx.selectFrom('mailed_tokens').select('id').where('id', '=', id).executeTakeFirst()
  return found !== undefined
}

/** An unused link that has not expired, with its user, whose address must still be that of the link. */
export function findLink(tx: Tx, by: { token_hash: Buffer; purpose: Purpose; now: Date }) {
  return tx
    .selectFrom('mailed_tokens')
    .innerJoin('users', join =>
      join.onRef('users.id', '=', 'mailed_tokens.user_id').onRef('users.email', '=', 'mailed_tokens.email'),
    )
    .select(['users.id as user_id', 'users.email', 'users.first_name', 'users.last_name'])
    .where('mailed_tokens.token_hash', '=', by.token_hash)
    .where('mailed_tokens.purpose', '=', by.purpose)
    .where('mailed_tokens.used_at', 'is', null)
    .where('mailed_tokens.expires_at', '>', by.now)
    .executeTakeFirst()
}

/** Whether the verified user has signed in with this browser. An unverified user may be another person. */
export async function hasDevice(
  tx: Tx,
  user: { id: string; verified_at: Date | null },
  browser: Buffer,
): Promise<boolean> {
  if (!user.verified_at) return false
  const found = await tx
    .selectFrom('devices')
    .select('user_id')
    .where('user_id', '=', user.id)
    .where('browser_hash', '=', browser)
    .executeTakeFirst()
  return found !== undefined
}

/** Removes the second factor and every sign-in method except the password. */
export async function removeOtherMethods(tx: Tx, userId: string) {
  await tx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
  await tx.deleteFrom('identities').where('user_id', '=', userId).execute()
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

export async function resetConsentAndDefaultAccount(tx: Tx, userId: string) {
  await tx
    .updateTable('users')
    .set({ support_enabled: false, default_account_id: null })
    .where('id', '=', userId)
    .execute()
}
