import type { Context, Tx } from '../context.ts'
import { invariant } from '../lib/invariant.ts'
import { recordUserAudit } from './audit.ts'
import { findUser } from './user-store.ts'

export type TwoFactorChange =
  | 'enabled'
  | 'replaced'
  | 'disabled'
  | 'backup_renewed'
  | 'backup_used'
  | 'guessed'

/** Records a change of the second factor in the audit log and mails the user: it may not be the user's own doing. */
export async function notifyTwoFactorChange(
  ctx: Context,
  tx: Tx,
  user_id: string,
  happened: TwoFactorChange,
) {
  const user = invariant(await findUser(tx, user_id), `user ${user_id}`)
  await recordUserAudit(ctx, tx, user_id, { action: `two_factor.${happened}` })
  await ctx.enqueueMail(tx, {
    kind: 'two_factor',
    to: user.email,
    locale: user.locale,
    data: { name: user.first_name, happened, url: `${ctx.config.publicUrl}/account/2fa` },
  })
}
