import type { Tx } from '../../../db/transaction.ts'

/** Stores a secret that waits for its first code. The secret in force stays. */
export async function insertPendingSecret(
  tx: Tx,
  userId: string,
  sealed_pending: string,
  pending_since: Date,
) {
  await tx
    .insertInto('two_factors')
    .values({ user_id: userId, sealed_pending, pending_since })
    .onConflict(conflict =>
      conflict.column('user_id').doUpdateSet({ sealed_pending, pending_since, setup_failures: 0 }),
    )
    .execute()
}

/** Counts a wrong code for the pending secret. @returns the new count */
export async function countSetUpFailure(tx: Tx, userId: string): Promise<number> {
  const { setup_failures } = await tx
    .updateTable('two_factors')
    .set(eb => ({ setup_failures: eb('setup_failures', '+', 1) }))
    .where('user_id', '=', userId)
    .returning('setup_failures')
    .executeTakeFirstOrThrow()
  return setup_failures
}

/** Deletes the pending secret. The secret in force stays. */
export async function removePendingSecret(tx: Tx, userId: string) {
  await tx
    .updateTable('two_factors')
    .set({ sealed_pending: null, pending_since: null, setup_failures: 0 })
    .where('user_id', '=', userId)
    .execute()
}

/** The pending secret replaces the one in force, with a new backup code. */
export async function enableTwoFactor(
  tx: Tx,
  userId: string,
  row: { sealed_secret: string; last_step: number; backup_hash: Buffer; enabled_at: Date },
) {
  await tx
    .updateTable('two_factors')
    .set(eb => ({
      ...row,
      // A replaced factor keeps its date: undoing a change of address removes only factors added since.
      since: eb.fn.coalesce('since', 'enabled_at', eb.val(row.enabled_at)),
      sealed_pending: null,
      pending_since: null,
      failures: 0,
      failures_since: null,
      setup_failures: 0,
    }))
    .where('user_id', '=', userId)
    .execute()
}

export async function removeTwoFactor(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
}

/** @returns false when the second factor is off */
export async function updateBackupCode(tx: Tx, userId: string, backup_hash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('two_factors')
    .set({ backup_hash })
    .where('user_id', '=', userId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Counts a try before the code is checked, and locks the challenge. Share-locks the user's row first, in the order of
 * the code that ends challenges.
 */
export function countCodeTry(tx: Tx, by: { token_hash: Buffer; now: Date; most: number }) {
  return tx
    .with('held', held =>
      held
        .selectFrom('users')
        .select('id as holder')
        .where('id', '=', eb =>
          eb.selectFrom('challenges').select('user_id').where('token_hash', '=', by.token_hash),
        )
        .forShare(),
    )
    .updateTable('challenges')
    .from('held')
    .whereRef('user_id', '=', 'held.holder')
    .set(eb => ({ tries: eb('tries', '+', 1) }))
    .where('token_hash', '=', by.token_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', by.now)
    .where('tries', '<', by.most)
    .returning(['id', 'user_id', 'account_id', 'method', 'session_until', 'tries'])
    .executeTakeFirst()
}

export async function consumeChallenge(tx: Tx, id: string, now: Date) {
  await tx.updateTable('challenges').set({ used_at: now }).where('id', '=', id).execute()
}

/**
 * Marks the session as having a second factor, and replaces its token so that copies of the old one stop working. Not by
 * createSession(), which would ask for the factor that was just verified.
 * @returns false when the session has ended
 */
export async function addSecondFactorToSession(
  tx: Tx,
  sessionId: string,
  tokenHash: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ token_hash: tokenHash, second_factor: true })
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
