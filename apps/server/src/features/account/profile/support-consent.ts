import type { Context, Tx } from '../../../context.ts'
import { recordUserAudit } from '../../../identity/audit.ts'
import * as store from './store.ts'

type Person = { id: string; email: string; first_name: string; locale: string; support_enabled: boolean }

/** Stores whether support may act as the user. Mails the user, because an attacker may have changed it. */
export async function changeSupportConsent(ctx: Context, tx: Tx, user: Person, allowed: boolean) {
  if (!allowed) await store.endSupportSessions(tx, user.id)
  if (allowed === user.support_enabled) return
  await recordUserAudit(ctx, tx, user.id, { action: allowed ? 'support.allowed' : 'support.forbidden' })
  await ctx.enqueueMail(tx, {
    kind: 'support_consent',
    to: user.email,
    locale: user.locale,
    data: { name: user.first_name, allowed, url: `${ctx.config.publicUrl}/account/profile` },
  })
}
