import type { Tx } from '../db/transaction.ts'

/** Locks the user's row until the transaction ends: parallel tries run one after the other. */
export function lockTwoFactor(tx: Tx, userId: string) {
  return tx.selectFrom('two_factors').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()
}

export function findTwoFactor(tx: Tx, userId: string) {
  return tx
    .selectFrom('two_factors')
    .select(['enabled_at', 'backup_hash'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function updateFailures(tx: Tx, userId: string, failures: number, failures_since: Date) {
  await tx
    .updateTable('two_factors')
    .set({ failures, failures_since })
    .where('user_id', '=', userId)
    .execute()
}

/** @returns false when a code of this time step, or of a later one, was used before */
export async function consumeTimeStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('two_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @returns false when it is another code, or was used before */
export async function consumeBackupCode(tx: Tx, userId: string, hash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('two_factors')
    .set({ backup_hash: null })
    .where('user_id', '=', userId)
    .where('backup_hash', '=', hash)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
