import type { AuthedContext, Tx } from '../../context.ts'
import { lockCurrentUser } from '../../identity/current-session.ts'
import {
  lockEmail,
  markVerified,
  moveAccounts,
  removeUnverifiedUsers,
} from '../../identity/email-claim-store.ts'
import { findGivenPassword } from '../../identity/user-store.ts'
import { Refusal } from '../../lib/refusal.ts'

/**
 * The invite was mailed to the address of this unverified user, so it verifies the user as the link of the sign-up would.
 * The caller holds no locks and has checked that the invite is for this address.
 * @returns false when the address has a verified user: the new account moves to that user, who must sign in
 */
export async function verifyByInvite(ctx: AuthedContext, tx: Tx, email: string): Promise<boolean> {
  const known = await lockEmail(tx, email)
  const user = await lockCurrentUser(ctx, tx)
  if (user.verified_at) return true
  if (user.email !== email) throw new Refusal('invite_other_address', { field: 'email' })
  // An admin chose the password: only the verification link replaces it.
  if (await findGivenPassword(tx, user.id)) throw new Refusal('verification_required')
  if (known) {
    await moveAccounts(tx, user.id, known.id)
    return false
  }
  await markVerified(tx, user, ctx.now())
  await removeUnverifiedUsers(tx, user.email, user.id)
  return true
}
