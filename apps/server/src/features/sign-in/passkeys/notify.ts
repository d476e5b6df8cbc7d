import type { Context, Tx } from '../../../context.ts'
import { recordUserAudit } from '../../../identity/audit.ts'

/** What happened to a passkey; `copied`: two of them sign in turns, which one key can't. */
export type PasskeyEvent = 'added' | 'removed' | 'copied'

type Person = { id: string; email: string; first_name: string; locale: string }

/** A change of who may come in is in the log of each account it opens, and in the user's mail (security.md, T-88). */
export async function tell(
  ctx: Context,
  tx: Tx,
  user: Person,
  event: PasskeyEvent,
  passkey: { id: string; name: string },
) {
  const { id: target, name } = passkey
  await recordUserAudit(ctx, tx, user.id, { action: `passkey.${event}`, target, metadata: { name } })
  await ctx.enqueueMail(tx, {
    kind: 'passkey',
    to: user.email,
    locale: user.locale,
    data: {
      name: user.first_name,
      event,
      passkey: passkey.name,
      url: `${ctx.config.publicUrl}/account/profile`,
    },
  })
}
