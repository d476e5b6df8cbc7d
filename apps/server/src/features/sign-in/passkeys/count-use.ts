import type { Context, Tx } from '../../../context.ts'
import { findUser, shareLockUser } from '../../../identity/user-store.ts'
import { invariant } from '../../../lib/invariant.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { notifyPasskeyChange } from './notify.ts'
import * as store from './store.ts'

type Found = { id: string; user_id: string; name: string }

/**
 * Counts a valid signature. A copied key is refused, and its user mailed.
 * @returns the refusal instead of throwing it, because the transaction with the mail must commit
 */
export async function countPasskeyUse(
  ctx: Context,
  tx: Tx,
  found: Found,
  use: { counter: number; synced: boolean },
): Promise<Refusal | null> {
  await shareLockUser(tx, found.user_id)
  if (await store.countPasskeyUse(tx, found.id, { ...use, now: ctx.now() })) return null
  if (!(await store.hasPasskey(tx, found.id))) return new Refusal('passkey_unknown')
  const user = invariant(await findUser(tx, found.user_id), `user ${found.user_id}`)
  await notifyPasskeyChange(ctx, tx, user, 'copied', found)
  return new Refusal('passkey_refused')
}
