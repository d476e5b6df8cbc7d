import type { AuthedContext } from '../../context.ts'
import { passwordFits } from '../../lib/passwords.ts'
import { Refusal } from '../../lib/refusal.ts'
import { demandProof } from '../auth/step-up.ts'
import * as store from './closing-store.ts'

/**
 * Closing takes the password, however fresh the sign-in is; who has none proves themselves as for any other change of
 * what guards the account. Whether there is one, the row says.
 */
export async function demandClosingProof(
  ctx: AuthedContext,
  { password, code }: { password?: string; code?: string },
) {
  const { actor } = ctx
  const kept = await ctx.asSystem('look at the password', tx => store.findPasswordHash(tx, actor.user_id))
  if (!kept) return demandProof(ctx, { code })
  if (password === undefined)
    throw new Refusal('invalid_input', { field: 'password', text: 'accounts.close_password' })
  await ctx.consume('step_up:user', actor.user_id)
  if (!(await passwordFits(kept, password))) throw new Refusal('password_wrong', { field: 'password' })
}
