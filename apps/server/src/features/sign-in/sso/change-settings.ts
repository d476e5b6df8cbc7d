import type { AssignableRole } from '@plinth/contract/roles'
import type { AuthedContext } from '../../../context.ts'
import { demandProof } from '../../../identity/step-up.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { recordSsoChange, type SsoChange } from './audit-change.ts'
import { lockConnection } from './lock-connection.ts'
import { whyNotChange } from './rules.ts'
import { ssoSettingsOf } from './setup.ts'
import * as store from './store.ts'

type Change = { enabled?: boolean; enforced?: boolean; break_glass?: string[]; default_role?: AssignableRole }

/**
 * Changes the settings of single sign-on. Enforcing it ends the account's other sessions, except the caller's and
 * those of break-glass owners; disabling it ends the SSO sessions. Both wait for sign-ins in progress.
 */
export async function changeSsoSettings(
  ctx: AuthedContext,
  { password, code, ...wanted }: Change & { password?: string; code?: string },
) {
  await demandProof(ctx, { password, code })
  const { account_id, session_id } = ctx.actor
  return ctx.asSystem('change single sign-on', async tx => {
    const row = await lockConnection(tx, account_id)
    if (!row) throw new Refusal('sso_not_set_up')
    const before = {
      tested: row.tested_at !== null,
      enabled: row.enabled_at !== null,
      enforced: row.enforced_at !== null,
      has_domain: (await store.listDomains(tx, account_id)).some(({ proven_at }) => proven_at !== null),
    }
    const owners = (await store.listOwners(tx, account_id)).map(({ id }) => id)
    const refused = whyNotChange(before, wanted, owners)
    if (refused) throw new Refusal(refused, refused === 'sso_break_glass' ? { field: 'break_glass' } : {})
    const enabled = wanted.enabled ?? before.enabled
    const enforced = enabled && (wanted.enforced ?? before.enforced)
    const default_role = wanted.default_role ?? row.default_role
    const now = ctx.now()
    await store.updateConnection(tx, account_id, {
      enabled_at: enabled ? (row.enabled_at ?? now) : null,
      enforced_at: enforced ? (row.enforced_at ?? now) : null,
      default_role,
    })
    if (!enforced) await store.setBreakGlass(tx, account_id, [])
    else if (wanted.break_glass) await store.setBreakGlass(tx, account_id, wanted.break_glass)
    const changes: (SsoChange | false)[] = [
      enabled !== before.enabled && (enabled ? 'enabled' : 'disabled'),
      enforced !== before.enforced && (enforced ? 'enforced' : 'not_enforced'),
      enforced && before.enforced && wanted.break_glass !== undefined && 'break_glass',
      default_role !== row.default_role && 'default_role',
    ]
    if (before.enabled && !enabled) {
      await store.removePendingSignIns(tx, account_id)
      await store.removeSessions(tx, account_id, { bySso: true, exceptSession: session_id })
    }
    if (enforced && (!before.enforced || wanted.break_glass))
      await store.removeSessions(tx, account_id, {
        bySso: false,
        exceptSession: session_id,
        exceptUsers: wanted.break_glass ?? [],
      })
    for (const each of changes) {
      const detail = each === 'default_role' ? default_role : ''
      if (each) await recordSsoChange(ctx, tx, { change: each, detail })
    }
    return ssoSettingsOf(ctx, tx)
  })
}
