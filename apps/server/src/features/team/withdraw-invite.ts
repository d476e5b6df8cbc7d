import { isAssignableRole } from '@plinth/contract/roles'
import type { AuthedContext } from '../../context.ts'
import { lockAccount } from '../../identity/account-store.ts'
import { recordAudit } from '../../identity/audit.ts'
import { Refusal } from '../../lib/refusal.ts'
import { removeInviteById } from './member-store.ts'
import { findCurrentRole } from './members.ts'
import { mayInvite } from './rules.ts'

/** Withdraws an invite. Requires the permission to send it. */
export async function withdrawInvite(ctx: AuthedContext, { id }: { id: string }) {
  const { account_id, user_id } = ctx.actor
  return ctx.asSystem('withdraw an invite', async tx => {
    // Locks the account before the invite, in the same order as closing an account.
    await lockAccount(tx, account_id, user_id)
    const own = await findCurrentRole(ctx, tx)
    const invite = await removeInviteById(tx, account_id, id)
    if (!invite) throw new Refusal('not_found')
    if (!isAssignableRole(invite.role) || !mayInvite(own, invite.role))
      throw new Refusal('permission_required')
    await recordAudit(ctx, tx, {
      account_id,
      user_id,
      action: 'invite.withdrawn',
      target: id,
      metadata: { email: invite.email, role: invite.role },
      network: ctx.request.network,
    })
    ctx.setMessage('team.withdrawn')
    return {}
  })
}
