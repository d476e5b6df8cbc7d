import type { Tx } from '../../../db/transaction.ts'

/** @returns false when the user was warned since then; of two parallel calls one gets true */
export async function markWarned(tx: Tx, userId: string, now: Date, since: Date): Promise<boolean> {
  const row = await tx
    .insertInto('sign_in_warnings')
    .values({ user_id: userId, sent_at: now })
    .onConflict(conflict =>
      conflict.column('user_id').doUpdateSet({ sent_at: now }).where('sign_in_warnings.sent_at', '<=', since),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}
