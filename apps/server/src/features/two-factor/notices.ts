import type { Context, Tx } from '../../context.ts'
import { invariant } from '../../lib/invariant.ts'
import { auditPerson, personOf } from '../auth/guards.ts'

/** What happened to a user's second factor. */
export type Happening = 'enabled' | 'replaced' | 'disabled' | 'backup_renewed' | 'backup_used' | 'guessed'

/** Nothing happens to the second factor unseen: a row in the log and a mail to the user (security.md, T-88). */
export async function tell(ctx: Context, tx: Tx, user_id: string, happened: Happening) {
  const user = invariant(await personOf(tx, user_id), `user ${user_id}`)
  await auditPerson(ctx, tx, user_id, { action: `two_factor.${happened}` })
  await ctx.enqueueMail(tx, {
    kind: 'two_factor',
    to: user.email,
    locale: user.locale,
    data: { name: user.first_name, happened, url: `${ctx.config.publicUrl}/account/2fa` },
  })
}
