import type { SessionUser } from '@plinth/contract'
import { formatMoney } from '@plinth/contract/money'
import type { AuthedContext, Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { recordAudit } from '../../../identity/audit.ts'
import { createSession } from '../../../identity/create-session.ts'
import { endCurrentSession } from '../../../identity/current-session.ts'
import { findAccountsOfUser } from '../../../identity/user-store.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { isLocale } from '../../../lib/i18n.ts'
import { invariant } from '../../../lib/invariant.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { recordClosing } from '../../billing/closing/close-account.ts'
import { demandClosingProof } from './close-proof.ts'
import * as store from './store.ts'

type Proof = { password?: string; code?: string }
type Closed = { signout: boolean; session?: SessionUser & { token: string } }
type Session = Awaited<ReturnType<typeof endCurrentSession>>

/**
 * Closes the whole account in one transaction. The work at the payment provider and the mails are jobs written in it.
 *
 * Locks: every member's row in order, then the account.
 */
export async function closeAccount(ctx: AuthedContext, proof: Proof): Promise<Closed> {
  const { actor } = ctx
  await demandClosingProof(ctx, proof)
  crashPoint('close_account:before_begin')
  const answer = await ctx.asSystem('close an account', async tx => {
    await store.lockMembers(tx, actor.account_id)
    const account = await lockAccount(tx, actor.account_id)
    const members = await store.findMembers(tx, actor.account_id)
    const own = members.find(({ id }) => id === actor.user_id)
    if (!account || !own) throw new Refusal('session_required')
    // Checks the role in this account: a master is not its owner.
    if (own.role !== 'owner') throw new Refusal('permission_required')
    const session = await endCurrentSession(ctx, tx)
    const usage = await recordClosing(ctx, tx, { account_id: account.id, closed_by: actor.user_id })
    crashPoint('close_account:after_closure_saved')
    await store.removeAccount(tx, account.id)
    crashPoint('close_account:after_account')
    for (const member of members) {
      const event = member.id === actor.user_id ? 'closed' : 'closed_by_owner'
      await deleteOrNotify(ctx, tx, member, { event, account_name: account.name, usage })
    }
    ctx.setMessage(own.accounts === 1 ? 'accounts.closed' : 'accounts.closed_one')
    const opened = await openOtherAccount(ctx, tx, own, session)
    crashPoint('close_account:before_commit')
    return opened
  })
  crashPoint('close_account:after_commit')
  return answer
}

/** A member leaves; the account continues with its other owners. */
export async function closeUser(ctx: AuthedContext, proof: Proof): Promise<Closed> {
  const { actor } = ctx
  await demandClosingProof(ctx, proof)
  return ctx.asSystem('leave an account', async tx => {
    await store.lockUsers(tx, [actor.user_id])
    const account = await lockAccount(tx, actor.account_id)
    const members = await store.findMembers(tx, actor.account_id)
    const own = members.find(({ id }) => id === actor.user_id)
    if (!account || !own) throw new Refusal('session_required')
    if (own.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1)
      throw new Refusal('last_owner')
    const session = await endCurrentSession(ctx, tx)
    await store.removeMembership(tx, account.id, own.id)
    await recordAudit(ctx, tx, {
      account_id: account.id,
      user_id: own.id,
      action: 'member.left',
      target: own.id,
      network: ctx.request.network,
    })
    await deleteOrNotify(ctx, tx, own, { event: 'left', account_name: account.name })
    ctx.setMessage(own.accounts === 1 ? 'accounts.left' : 'accounts.left_one', { account: account.name })
    return openOtherAccount(ctx, tx, own, session)
  })
}

/**
 * Removes another member in the caller's transaction. The caller has locked the member's row and the account, has
 * checked the permission and writes the audit log. The member's sessions in this account end; sessions in other
 * accounts continue.
 */
export async function removeFromAccount(
  ctx: AuthedContext,
  tx: Tx,
  account: { id: string; name: string },
  userId: string,
) {
  const member = invariant(await store.findMember(tx, account.id, userId), 'the member that is held')
  await store.removeMembership(tx, account.id, userId)
  await deleteOrNotify(ctx, tx, member, { event: 'removed', account_name: account.name })
}

/** Deletes a user who has no other account. Every member gets a last mail. */
async function deleteOrNotify(
  ctx: AuthedContext,
  tx: Tx,
  member: store.Member,
  {
    usage,
    ...what
  }: {
    event: 'closed' | 'closed_by_owner' | 'left' | 'removed'
    account_name: string
    /** Charged with the end of the subscription. */
    usage?: { amount: number; currency: string } | null
  },
) {
  const locale = isLocale(member.locale) ? member.locale : 'en'
  const gone = member.accounts === 1
  if (gone) await store.deleteUser(tx, member)
  // Removes the files of the deleted user after the commit.
  if (gone) await ctx.enqueue(tx, 'files.clear', {}, { key: 'all' })
  await ctx.enqueueMail(tx, {
    kind: 'account_closed',
    to: member.email,
    locale: member.locale,
    data: {
      name: member.first_name,
      ...what,
      by: `${ctx.actor.first_name} ${ctx.actor.last_name}`.trim(),
      gone,
      usage: usage?.amount ? formatMoney(locale, usage.amount, usage.currency) : null,
      url: `${ctx.config.publicUrl}/login`,
    },
  })
}

/**
 * Opens another account of the user. Accounts that need SSO or a second factor are left for the next sign-in.
 */
async function openOtherAccount(
  ctx: AuthedContext,
  tx: Tx,
  own: store.Member,
  session: Session,
): Promise<Closed> {
  // An SSO session opens only the account of its connection.
  if (own.accounts === 1 || ctx.actor.method === 'saml') return { signout: true }
  for (const { id } of await findAccountsOfUser(tx, own.id)) {
    try {
      const opened = await createSession(ctx, tx, own, 'switch', { wanted: id, inherited: session })
      return 'id' in opened ? { signout: false, session: opened } : { signout: true }
    } catch (error) {
      // This account requires single sign-on; try the next one.
      if (!(error instanceof Refusal && error.code === 'sso_required')) throw error
    }
  }
  return { signout: true }
}
