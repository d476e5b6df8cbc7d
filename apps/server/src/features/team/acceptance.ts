import { isRole } from '@plinth/contract/roles'
import type { Context, Tx, World } from '../../context.ts'
import { hashToken } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import { countMembers, lockAccount } from '../accounts/standing.ts'
import { audit } from '../audit/service.ts'
import { hasRoom, mayInvite } from './rules.ts'
import * as store from './store.ts'

type Shown = { secret: string; email: string }

/**
 * The invite behind a mailed secret, if it still holds: it has not run out, it is to this address, and who sent it
 * may still give its role (T-36). What it says is said only to who has the secret.
 */
export async function checkInvite(world: World, tx: Tx, { secret, email }: Shown) {
  const invite = await store.findInvite(tx, hashToken(secret))
  if (!invite || invite.expires_at <= world.now()) throw new Refusal('invite_expired')
  if (invite.email !== email) throw new Refusal('invite_other_address', { field: 'email' })
  const inviter = invite.inviter_master ? 'master' : invite.inviter_role
  if (!isRole(inviter) || !isRole(invite.role) || !mayInvite(inviter, invite.role))
    throw new Refusal('invite_expired')
  return { ...invite, role: invite.role }
}

/**
 * Uses an invite up in the caller's transaction, under the lock of its account; the caller adds the person.
 * @returns the account and the role that the invite gives in it
 */
export async function redeemInvite(world: World, tx: Tx, shown: Shown) {
  const { account_id } = await checkInvite(world, tx, shown)
  const account = await lockAccount(tx, account_id)
  // Looked at again: while this call waited for the lock another one may have used or renewed it.
  const invite = await checkInvite(world, tx, shown)
  if (!account || !(await store.removeInvite(tx, hashToken(shown.secret))))
    throw new Refusal('invite_expired')
  if (!hasRoom(account.plan, (await countMembers(tx, account_id)) + 1)) throw new Refusal('account_full')
  return { id: invite.id, account_id, role: invite.role }
}

export async function recordAcceptance(
  ctx: Context,
  tx: Tx,
  {
    invite,
    user,
  }: { invite: { id: string; account_id: string; role: string }; user: { id: string; email: string } },
) {
  await audit(ctx, tx, {
    account_id: invite.account_id,
    user_id: user.id,
    action: 'invite.accepted',
    target: invite.id,
    metadata: { email: user.email, role: invite.role },
    network: ctx.request.network,
  })
}
