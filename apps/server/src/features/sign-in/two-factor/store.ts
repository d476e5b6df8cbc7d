import type { Tx } from '../../../db/open.ts'

/** A new secret waits for its first code; one that is in force stays. */
export async function insertPending(tx: Tx, userId: string, sealed_pending: string, pending_since: Date) {
  await tx
    .insertInto('two_factors')
    .values({ user_id: userId, sealed_pending, pending_since })
    .onConflict(conflict =>
      conflict.column('user_id').doUpdateSet({ sealed_pending, pending_since, setup_failures: 0 }),
    )
    .execute()
}

/** Counts a wrong code for the pending secret. @returns how many that makes */
export async function countSetUpFailure(tx: Tx, userId: string): Promise<number> {
  const { setup_failures } = await tx
    .updateTable('two_factors')
    .set(eb => ({ setup_failures: eb('setup_failures', '+', 1) }))
    .where('user_id', '=', userId)
    .returning('setup_failures')
    .executeTakeFirstOrThrow()
  return setup_failures
}

/** The pending secret is forgotten; one that is in force stays. */
export async function forgetPending(tx: Tx, userId: string) {
  await tx
    .updateTable('two_factors')
    .set({ sealed_pending: null, pending_since: null, setup_failures: 0 })
    .where('user_id', '=', userId)
    .execute()
}

/** The pending secret takes the place of the one before, with a backup code of its own. */
export async function enable(
  tx: Tx,
  userId: string,
  row: { sealed_secret: string; last_step: number; backup_hash: Buffer; enabled_at: Date },
) {
  await tx
    .updateTable('two_factors')
    .set(eb => ({
      ...row,
      // A factor that is set up again is the same one to whoever undoes what came with a sign-in.
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

/** False when the second factor is off. */
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
 * Counts a try at a live challenge before anything is looked at, and holds it until the transaction ends. Before it the
 * user's row, beside other sign-ins: whatever ends challenges holds the two in this order.
 */
export function countTry(tx: Tx, by: { token_hash: Buffer; now: Date; most: number }) {
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
 * The session goes on under a new token, with the second factor; false when it has ended meanwhile. The only writer of
 * a token beside `createSession`: that would make a successor, and ask for the very factor that was just proven; here
 * the session itself stays, and whoever holds a copy of its token is out.
 */
export async function strengthen(tx: Tx, sessionId: string, tokenHash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ token_hash: tokenHash, second_factor: true })
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
