import type { Tx } from '../../../db/transaction.ts'

export async function setPassword(tx: Tx, userId: string, password_hash: string) {
  await tx.updateTable('users').set({ password_hash }).where('id', '=', userId).execute()
}
