import type { Context, Tx } from '../../../context.ts'
import { recordUserAudit } from '../../../identity/audit.ts'

/** An event of a passkey. `copied`: its counter went back, so a copy of the key exists. */
export type PasskeyEvent = 'added' | 'removed' | 'copied'

type Person = { id: string; email: string; first_name: string; locale: string }

/** Records a change of a passkey in the audit log of each of the user's accounts and mails the user. */
export async function notifyPasskeyChange(
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
