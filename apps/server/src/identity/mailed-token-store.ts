import type { Tx } from '../db/transaction.ts'

export type Purpose = 'verify_email' | 'magic' | 'reset'

export async function insertMailedToken(
  tx: Tx,
  row: {
    id: string
    token_hash: Buffer
    purpose: Purpose
    user_id: string
    email: string
    created_at: Date
    expires_at: Date
  },
) {
  await tx.insertInto('mailed_tokens').values(row).execute()
}

/** Uses a token: of parallel calls with the same token one gets the row. */
export function consumeMailedToken(
  tx: Tx,
  by: { token_hash: Buffer; purpose: Purpose; user_id: string; now: Date },
) {
  return tx
    .updateTable('mailed_tokens')
    .set({ used_at: by.now })
    .where('token_hash', '=', by.token_hash)
    .where('purpose', '=', by.purpose)
    .where('user_id', '=', by.user_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', by.now)
    .returning(['email'])
    .executeTakeFirst()
}

/** Voids the user's unused links: all of them, or those of one purpose. */
export async function removeMailedTokens(tx: Tx, userId: string, purpose?: Purpose) {
  await tx
    .deleteFrom('mailed_tokens')
    .where('user_id', '=', userId)
    .$if(purpose !== undefined, query => query.where('purpose', '=', String(purpose)))
    .where('used_at', 'is', null)
    .execute()
}
