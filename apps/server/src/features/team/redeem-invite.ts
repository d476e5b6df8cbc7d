import { isAssignableRole } from '@plinth/contract/roles'
import type { Context, Services, Tx } from '../../context.ts'
import { countMembers, lockAccount } from '../../identity/account-store.ts'
import { recordAudit } from '../../identity/audit.ts'
import { wantsMail } from '../../identity/mail-preferences.ts'
import { findUser } from '../../identity/user-store.ts'
import { hashToken } from '../../lib/crypto.ts'
import { isLocale, translate } from '../../lib/i18n.ts'
import { newId } from '../../lib/ids.ts'
import { Refusal } from '../../lib/refusal.ts'
import { hasRoom } from './rules.ts'
import * as store from './store.ts'

/** The secret of an invite link, and the address that the person claims to own. */
type InviteClaim = { secret: string; email: string }

/**
 * The invite of a token. SQL expire_invites_of() sets expires_at to the past when the sender may no longer invite into this
 * role.
 */
export async function findValidInvite(services: Services, tx: Tx, secret: string) {
  const invite = await store.findInvite(tx, hashToken(secret))
  if (!invite || invite.expires_at <= services.now()) throw new Refusal('invite_expired')
  const { role } = invite
  if (!isAssignableRole(role)) throw new Refusal('invite_expired')
  return { ...invite, role }
}

/** The invite of a token, which must be to this address. */
export async function checkInvite(services: Services, tx: Tx, { secret, email }: InviteClaim) {
  const invite = await findValidInvite(services, tx, secret)
  if (invite.email !== email) throw new Refusal('invite_other_address', { field: 'email' })
  return invite
}

/**
 * Uses an invite in the caller's transaction, under the account's lock; the caller adds the member.
 * @param isMember whether the person is a member of the account already: then no seat is needed
 * @returns the account and the role of the invite
 */
export async function redeemInvite(
  services: Services,
  tx: Tx,
  claim: InviteClaim,
  isMember: (accountId: string) => Promise<boolean> = async () => false,
) {
  const { account_id } = await checkInvite(services, tx, claim)
  const account = await lockAccount(tx, account_id)
  // Checked again under the lock: another call may have used or renewed the invite.
  const invite = await checkInvite(services, tx, claim)
  const secret_hash = hashToken(claim.secret)
  if (!account || !(await store.removeInvite(tx, secret_hash))) throw new Refusal('invite_expired')
  const alreadyMember = await isMember(account_id)
  if (!alreadyMember && !hasRoom(account.plan, (await countMembers(tx, account_id)) + 1))
    throw new Refusal('account_full')
  const { id, role, invited_by, account_name, expires_at } = invite
  return { id, account_id, role, alreadyMember, invited_by, account_name, expires_at, secret_hash }
}

type Redeemed = Awaited<ReturnType<typeof redeemInvite>>
type Accepted = {
  invite: Redeemed
  user: { id: string; email: string; first_name: string; last_name: string }
}

/** Stores the used invite, so that the link tells the user who accepted it that it was used. */
export function saveUsedInvite(
  services: Services,
  tx: Tx,
  invite: Redeemed,
  user: { id: string; email: string },
) {
  const { secret_hash, expires_at } = invite
  const now = services.now()
  return store.insertUsedInvite(tx, {
    id: newId(now.getTime()),
    token_hash: secret_hash,
    user_id: user.id,
    email: user.email,
    created_at: now,
    expires_at,
    used_at: now,
  })
}

/** Writes the audit entry, and mails the sender of the invite unless they turned that mail off. */
export async function recordAcceptance(ctx: Context, tx: Tx, { invite, user }: Accepted) {
  const { account_id, account_name, role, invited_by } = invite
  await recordAudit(ctx, tx, {
    account_id,
    user_id: user.id,
    action: 'invite.accepted',
    target: invite.id,
    metadata: { email: user.email, role },
    network: ctx.request.network,
  })
  if (!invited_by || !(await wantsMail(tx, invited_by, account_id, 'invite_accepted'))) return
  const inviter = await findUser(tx, invited_by)
  if (!inviter) return
  await ctx.enqueueMail(tx, {
    kind: 'invite_accepted',
    to: inviter.email,
    locale: inviter.locale,
    data: {
      name: inviter.first_name,
      person: `${user.first_name} ${user.last_name}`.trim(),
      email: user.email,
      account_name,
      role: translate(isLocale(inviter.locale) ? inviter.locale : 'en', `roles.${role}`),
      url: `${ctx.config.publicUrl}/account/users`,
    },
  })
}
