import type { AuthedContext, Tx } from '../../../context.ts'
import { recordAudit } from '../../../identity/audit.ts'
import type { Mail } from '../../../integrations/mail/mailer.ts'
import * as store from './store.ts'

export type SsoChange = Extract<Mail, { kind: 'sso_changed' }>['data']['change']

/** Records a change of single sign-on in the account's audit log and mails the owners. */
export async function recordSsoChange(
  ctx: AuthedContext,
  tx: Tx,
  { change, detail = '' }: { change: SsoChange; detail?: string },
) {
  const { actor } = ctx
  const by = `${actor.first_name} ${actor.last_name}`.trim()
  await recordAudit(ctx, tx, {
    account_id: actor.account_id,
    user_id: actor.user_id,
    action: `sso.${change}`,
    target: detail || actor.account_id,
    metadata: detail ? { detail } : {},
    network: ctx.request.network,
  })
  for (const owner of await store.listOwners(tx, actor.account_id)) {
    await ctx.enqueueMail(tx, {
      kind: 'sso_changed',
      to: owner.email,
      locale: owner.locale,
      data: {
        name: owner.first_name,
        account_name: actor.account_name,
        by,
        change,
        detail,
        url: `${ctx.config.publicUrl}/account/sso`,
      },
    })
  }
}
