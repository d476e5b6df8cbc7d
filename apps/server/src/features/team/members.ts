import { stageOf } from '@plinth/contract/access'
import { planToBuy } from '@plinth/contract/plans'
import { type AssignableRole, isRole, type Role } from '@plinth/contract/roles'
import type { AuthedContext, Tx } from '../../context.ts'
import { findRole, lockAccount } from '../../identity/account-store.ts'
import { recordAudit } from '../../identity/audit.ts'
import { lockEmail } from '../../identity/email-claim-store.ts'
import { consumeMailLimit } from '../../identity/mail-limits.ts'
import { removeMailedTokens } from '../../identity/mailed-token-store.ts'
import { sendVerification } from '../../identity/send-verification.ts'
import { isLocale, translate } from '../../lib/i18n.ts'
import { invariant } from '../../lib/invariant.ts'
import { Refusal } from '../../lib/refusal.ts'
import { closeUser, removeFromAccount } from '../account/close/close.ts'
import { memberOf } from './list.ts'
import * as store from './member-store.ts'
import { mayInvite, mayManage } from './rules.ts'

type Change = {
  id: string
  first_name?: string | undefined
  last_name?: string | undefined
  email?: string | undefined
  permission?: AssignableRole | undefined
}

/**
 * Changes another member's role, and the name and address of a member who is unverified and in no other account.
 *
 * Locks: the new address, the user's row, then the account.
 */
export async function updateMember(
  ctx: AuthedContext,
  { id, permission, first_name, last_name, email, ...others }: Change & Record<string, unknown>,
) {
  const { actor } = ctx
  const [unknown] = Object.keys(others)
  if (unknown) throw new Refusal('unknown_field', { field: unknown, values: { field: unknown } })
  requireActiveAdmin(ctx)
  if (email !== undefined) await consumeMailLimit(ctx, 'mail', email)
  return ctx.asSystem('edit a member', async tx => {
    if (email !== undefined) await lockEmail(tx, email)
    const { account, target, own } = await lockMember(ctx, tx, id)
    if (permission !== undefined && permission !== target.role) {
      if (target.role === 'owner')
        throw new Refusal('member_fixed', { field: 'permission', text: 'team.owner_fixed' })
      if (!mayInvite(own, permission)) throw new Refusal('permission_required', { field: 'permission' })
      await changeRole(ctx, tx, target, { account_name: account.name, role: permission })
    }
    await changePerson(ctx, tx, target, { first_name, last_name, email, account_name: account.name })
    ctx.setMessage('team.saved')
    return memberOf(
      ctx,
      invariant(await store.findMember(tx, actor.account_id, id), 'the member just edited'),
    )
  })
}

/** The endpoint also serves the caller's own profile, so it requires no admin itself. */
function requireActiveAdmin({ actor }: AuthedContext) {
  if (!mayInvite(actor.permission, 'user')) throw new Refusal('permission_required')
  const stage = stageOf(actor)
  if (stage === 'session') throw new Refusal('verification_required')
  if (stage !== 'active') throw new Refusal('subscription_inactive', { plan: planToBuy(actor.plan) })
}

/** Locks both users and reads their roles: they may have changed since the session was read. */
export async function lockMember(ctx: AuthedContext, tx: Tx, id: string) {
  const { actor } = ctx
  await store.lockMembers(tx, actor.account_id, [id, actor.user_id])
  const account = await lockAccount(tx, actor.account_id)
  const target = await store.findMember(tx, actor.account_id, id)
  const own = await findCurrentRole(ctx, tx)
  if (!account || !target) throw new Refusal('not_found')
  if (!isRole(target.role) || !mayManage(own, target.role)) throw new Refusal('permission_required')
  return { account, target, own }
}

/**
 * The caller's current role. A master counts as an admin in an account where they are a member, unless they own it.
 */
export async function findCurrentRole({ actor }: AuthedContext, tx: Tx): Promise<Role> {
  const role = await findRole(tx, actor.account_id, actor.user_id)
  if (!role) throw new Refusal('session_required')
  return actor.permission === 'master' && role !== 'owner' ? 'admin' : role
}

async function changeRole(
  ctx: AuthedContext,
  tx: Tx,
  target: store.MemberRow,
  { account_name, role }: { account_name: string; role: AssignableRole },
) {
  const { actor } = ctx
  await store.setRole(tx, actor.account_id, target.id, role)
  await recordAudit(ctx, tx, {
    account_id: actor.account_id,
    user_id: actor.user_id,
    action: 'member.role_changed',
    target: target.id,
    metadata: { email: target.email, from: target.role, to: role },
    network: ctx.request.network,
  })
  await ctx.enqueueMail(tx, {
    kind: 'role_changed',
    to: target.email,
    locale: target.locale,
    data: {
      name: target.first_name,
      account_name,
      by: nameOf(actor),
      role: translate(isLocale(target.locale) ? target.locale : 'en', `roles.${role}`),
      url: `${ctx.config.publicUrl}/account`,
    },
  })
}

async function changePerson(
  ctx: AuthedContext,
  tx: Tx,
  target: store.MemberRow,
  { account_name, ...wanted }: { account_name: string } & store.UserDetails,
) {
  const fields = ['first_name', 'last_name', 'email'] as const
  const changed = fields.filter(field => wanted[field] !== undefined && wanted[field] !== target[field])
  const [first] = changed
  if (!first) return
  if (target.verified_at || target.accounts > 1) throw new Refusal('member_fixed', { field: first })
  const moves = changed.includes('email') ? wanted.email : undefined
  await store.updateUserDetails(tx, target.id, wanted)
  await recordAudit(ctx, tx, {
    account_id: ctx.actor.account_id,
    user_id: ctx.actor.user_id,
    action: 'member.changed',
    target: target.id,
    metadata: { email: moves ?? target.email, fields: [...changed] },
    network: ctx.request.network,
  })
  if (!moves) return
  await removeMailedTokens(tx, target.id)
  const first_name = wanted.first_name ?? target.first_name
  await sendVerification(ctx, tx, { ...target, first_name, email: moves, account_name })
}

/** Removes a member; for the caller it closes their own user. */
export async function removeMember(
  ctx: AuthedContext,
  { id, ...proof }: { id: string; password?: string | undefined; code?: string | undefined },
) {
  const { actor } = ctx
  if (id === actor.user_id) return closeUser(ctx, proof)
  return ctx.asSystem('remove a member', async tx => {
    const { account, target } = await lockMember(ctx, tx, id)
    await recordAudit(ctx, tx, {
      account_id: actor.account_id,
      user_id: actor.user_id,
      action: 'member.removed',
      target: id,
      metadata: { email: target.email, role: target.role },
      network: ctx.request.network,
    })
    await removeFromAccount(ctx, tx, account, id)
    ctx.setMessage('team.removed')
    return { signout: false }
  })
}

const nameOf = ({ first_name, last_name }: { first_name: string; last_name: string }) =>
  `${first_name} ${last_name}`.trim()
