import type { Tx } from '../../../db/transaction.ts'

/** The address a verification link was created for. */
export async function findMailedAddress(tx: Tx, tokenHash: Buffer, userId: string) {
  const row = await tx
    .selectFrom('mailed_tokens')
    .select('email')
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.email
}

/** @returns false when the password is no longer the given one */
export async function replaceGivenPassword(
  tx: Tx,
  userId: string,
  given: string,
  own: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash: own, password_given: false })
    .where('id', '=', userId)
    .where('password_hash', '=', given)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
