import type { AuthedContext } from '../../../context.ts'
import { demandProof } from '../../../identity/step-up.ts'
import { findPasswordHash } from '../../../identity/user-store.ts'
import { passwordFits } from '../../../lib/passwords.ts'
import { Refusal } from '../../../lib/refusal.ts'

/**
 * Closing requires the password, however recent the sign-in is. A user without a password needs a step-up. Reads the user's
 * row, because the session's copy may be stale.
 */
export async function demandClosingProof(
  ctx: AuthedContext,
  { password, code }: { password?: string; code?: string },
) {
  const { actor } = ctx
  const kept = await ctx.asSystem('read the password hash', tx => findPasswordHash(tx, actor.user_id))
  if (!kept) return demandProof(ctx, { code })
  if (password === undefined)
    throw new Refusal('invalid_input', { field: 'password', text: 'accounts.close_password' })
  await ctx.consume('step_up:user', actor.user_id)
  if (!(await passwordFits(kept, password))) throw new Refusal('password_wrong', { field: 'password' })
}
