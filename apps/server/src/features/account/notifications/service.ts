import { type NotificationName, notificationNames } from '@plinth/contract/endpoints/notifications'
import type { AuthedContext, Tx } from '../../../context.ts'
import { recordAudit } from '../../../identity/audit.ts'
import { isMailForRole } from '../../../identity/mail-preferences.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as store from './store.ts'

export const listSettings = (ctx: AuthedContext) => ctx.within(tx => settingsOf(ctx, tx))

/** Changes all settings or none: one name that is not for the user's role refuses the call. */
export async function changeSettings(ctx: AuthedContext, change: Partial<Record<NotificationName, boolean>>) {
  const { account_id, user_id, permission } = ctx.actor
  const chosen = notificationNames.flatMap(name => {
    const active = change[name]
    return active === undefined ? [] : [{ name, active }]
  })
  const foreign = chosen.find(({ name }) => !isMailForRole(name, permission))
  if (foreign) throw new Refusal('permission_required', { field: foreign.name })
  return ctx.within(async tx => {
    if (chosen.length) {
      await store.saveSettings(tx, { account_id, user_id }, chosen, ctx.now())
      // Recorded, because an attacker with the session would switch off the warning mails first.
      await recordAudit(ctx, tx, {
        account_id,
        user_id,
        action: 'notifications.changed',
        target: user_id,
        metadata: Object.fromEntries(chosen.map(({ name, active }) => [name, active])),
        network: ctx.request.network,
      })
    }
    return settingsOf(ctx, tx)
  })
}

async function settingsOf({ actor }: AuthedContext, tx: Tx) {
  const chosen = await store.findSettings(tx, actor)
  const names = notificationNames.filter(name => isMailForRole(name, actor.permission))
  return names.map(name => ({
    name,
    active: chosen.find(setting => setting.name === name)?.active ?? true,
  }))
}
