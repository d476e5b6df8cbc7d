import type { SignInReply } from '@plinth/contract'
import type { AuthedContext, Context, Tx } from '../../context.ts'
import { insertMembership } from '../../identity/account-store.ts'
import { createSession } from '../../identity/create-session.ts'
import { endCurrentSession } from '../../identity/current-session.ts'
import { findVerifiedUser, lockUser } from '../../identity/user-store.ts'
import { hashToken } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import * as store from './member-store.ts'
import {
  checkInvite,
  findValidInvite,
  recordAcceptance,
  redeemInvite,
  saveUsedInvite,
} from './redeem-invite.ts'
import { hasUsedInvite } from './store.ts'
import { verifyByInvite } from './verify-by-invite.ts'

/** Shows an invite to the holder of its token, who may know that the address has a user. */
export async function previewInvite(ctx: Context, { invite_id }: { invite_id: string }) {
  const actor = await ctx.identify()
  return ctx.asSystem('read an invite', async tx => {
    if (actor && (await hasUsedInvite(tx, hashToken(invite_id), actor.user_id, ctx.now())))
      throw new Refusal('invite_used')
    const invite = await findValidInvite(ctx, tx, invite_id)
    const holder = await findVerifiedUser(tx, invite.email)
    return {
      account_name: invite.account_name,
      inviter: `${invite.inviter_first_name ?? ''} ${invite.inviter_last_name ?? ''}`.trim(),
      permission: ctx.t(`roles.${invite.role}`),
      email: invite.email,
      first_name: invite.first_name,
      last_name: invite.last_name,
      has_user: holder !== undefined,
      signed_in: !actor
        ? ('no' as const)
        : actor.email === invite.email
          ? ('as_invited' as const)
          : ('as_other' as const),
    }
  })
}

/**
 * A signed-in user joins an account with an invite to their own address, which verifies an unverified user.
 *
 * Locks: the address, the user's row, then the account.
 */
export async function acceptAsUser(
  ctx: AuthedContext,
  { invite_id }: { invite_id: string },
): Promise<SignInReply> {
  const { actor } = ctx
  // An SSO session opens only the account of its connection.
  if (actor.method === 'saml') throw new Refusal('sso_alone')
  const opened = await ctx.asSystem('join an account', async tx => {
    if (!actor.verified) {
      const { email } = await checkInvite(ctx, tx, { secret: invite_id, email: actor.email })
      if (!(await verifyByInvite(ctx, tx, email))) return null
    }
    return joinAccount(ctx, tx, invite_id)
  })
  if (!opened) throw new Refusal('sign_in_again', { text: 'auth.account_attached' })
  return opened
}

async function joinAccount(ctx: AuthedContext, tx: Tx, invite_id: string): Promise<SignInReply> {
  const { actor } = ctx
  const user = await lockUser(tx, actor.user_id)
  if (!user?.verified_at) throw new Refusal('session_required')
  const isMember = async (accountId: string) => Boolean(await store.findMember(tx, accountId, user.id))
  const invite = await redeemInvite(ctx, tx, { secret: invite_id, email: user.email }, isMember)
  if (!invite.alreadyMember) {
    await insertMembership(tx, {
      account_id: invite.account_id,
      user_id: user.id,
      role: invite.role,
      created_at: ctx.now(),
    })
    await recordAcceptance(ctx, tx, { invite, user: { ...user, last_name: actor.last_name } })
  }
  await saveUsedInvite(ctx, tx, invite, user)
  const opened = await openJoinedAccount(ctx, tx, invite)
  await ctx.saveIdempotentReply(tx, opened)
  return opened
}

/** Opens the joined account; when it requires single sign-on, the session stays in its account. */
async function openJoinedAccount(
  ctx: AuthedContext,
  tx: Tx,
  invite: { account_id: string; account_name: string },
) {
  const { actor } = ctx
  const inherited = await endCurrentSession(ctx, tx)
  const into = (wanted: string) =>
    createSession(ctx, tx, { id: actor.user_id }, 'switch', { wanted, inherited })
  const values = { account: invite.account_name }
  try {
    const opened = await into(invite.account_id)
    ctx.setMessage('team.joined', values)
    return opened
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'sso_required') throw error
    ctx.setMessage('team.joined_sso', values)
    return into(actor.account_id)
  }
}
