import type { Role } from '@plinth/contract/roles'
import type { AuthedContext, Tx } from '../../context.ts'
import { lockAccount } from '../../identity/account-store.ts'
import { recordAudit } from '../../identity/audit.ts'
import { demandProof } from '../../identity/step-up.ts'
import { invariant } from '../../lib/invariant.ts'
import { Refusal } from '../../lib/refusal.ts'
import * as store from './member-store.ts'

type Transfer = { user: string; stay: boolean; password?: string | undefined; code?: string | undefined }

/**
 * An owner makes a member an owner and steps down, unless they stay. No other call gives or takes the role of owner.
 *
 * Locks: both users in order, then the account.
 */
export async function transferOwnership(ctx: AuthedContext, { user, stay, password, code }: Transfer) {
  const { actor } = ctx
  const { account_id } = actor
  if (user === actor.user_id) throw new Refusal('not_found', { field: 'user' })
  await demandProof(ctx, {
    ...(password === undefined ? {} : { password }),
    ...(code === undefined ? {} : { code }),
  })
  return ctx.asSystem('transfer ownership', async tx => {
    await store.lockMembers(tx, account_id, [user, actor.user_id])
    const account = await lockAccount(tx, account_id)
    const own = await store.findMember(tx, account_id, actor.user_id)
    const target = await store.findMember(tx, account_id, user)
    if (!account || !own) throw new Refusal('session_required')
    // Checks the role in this account: a master is not its owner.
    if (own.role !== 'owner') throw new Refusal('permission_required')
    if (!target) throw new Refusal('not_found', { field: 'user' })
    if (!target.verified_at) throw new Refusal('member_unverified', { field: 'user' })
    const mine: Role = stay ? 'owner' : 'admin'
    if (target.role !== 'owner') await store.setRole(tx, account_id, target.id, 'owner')
    if (!stay) {
      await store.transferBreakGlass(tx, account_id, own.id, target.id)
      await store.setRole(tx, account_id, own.id, mine)
    }
    await record(ctx, tx, { account_name: account.name, own, target, stay })
    ctx.setMessage(stay ? 'team.owner_added' : 'team.transferred', {
      name: `${target.first_name} ${target.last_name}`.trim(),
    })
    return { permission: mine }
  })
}

async function record(
  ctx: AuthedContext,
  tx: Tx,
  about: { account_name: string; own: store.MemberRow; target: store.MemberRow; stay: boolean },
) {
  const { account_name, own, target, stay } = about
  const names = [own, target].map(({ first_name, last_name }) => `${first_name} ${last_name}`.trim())
  const [by, to] = [invariant(names[0], 'a name'), invariant(names[1], 'a name')]
  await recordAudit(ctx, tx, {
    account_id: ctx.actor.account_id,
    user_id: own.id,
    action: stay ? 'owner.added' : 'owner.transferred',
    target: target.id,
    metadata: { email: target.email, from: target.role },
    network: ctx.request.network,
  })
  const url = `${ctx.config.publicUrl}/account`
  for (const [person, event] of [
    [target, 'received'],
    [own, stay ? 'shared' : 'given'],
  ] as const)
    await ctx.enqueueMail(tx, {
      kind: 'ownership',
      to: person.email,
      locale: person.locale,
      data: { name: person.first_name, account_name, by, to, event, url },
    })
}
