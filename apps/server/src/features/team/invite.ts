import type { Quote, SentInvite } from '@plinth/contract'
import { limits } from '@plinth/contract/patterns'
import { cheapestPlanFor } from '@plinth/contract/plans'
import { type AssignableRole, isAssignableRole, type Role } from '@plinth/contract/roles'
import type { AuthedContext, Tx } from '../../context.ts'
import { countMembers, lockAccount } from '../../identity/account-store.ts'
import { recordAudit } from '../../identity/audit.ts'
import { consumeMailLimit, tryConsumeMailLimit } from '../../identity/mail-limits.ts'
import { hashToken, newToken } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { Refusal } from '../../lib/refusal.ts'
import { assertSeatQuote } from '../billing/seats/seat-price.ts'
import { findCurrentRole } from './members.ts'
import { hasRoom, inviteDays, mayInvite, parseAddresses, seatsOf, tooMany } from './rules.ts'
import * as store from './store.ts'

export type Inviting = {
  email: string
  permission: AssignableRole
  first_name?: string | undefined
  last_name?: string | undefined
  /** The price of a seat that the admin saw. */
  quote?: Quote | undefined
}

/**
 * Invites a list of addresses and returns a result for each. An address that is invited already gets a new link. A
 * list with an invalid address, or without enough seats, is refused as a whole.
 */
export async function invite(
  ctx: AuthedContext,
  { email, permission, quote, ...names }: Inviting,
): Promise<SentInvite[]> {
  requireMayInvite(ctx, permission)
  const addresses = parseInviteList(ctx, email)
  const mailable = await consumeInviteLimits(ctx, addresses)
  return ctx.within(async tx => {
    const { account, own } = await lockAccountForInvite(ctx, tx, permission)
    await assertSeatQuote(tx, account.id, quote)
    const members = await store.findMembersAmong(tx, account.id, addresses)
    const [only] = members
    if (only && members.length === addresses.length) throw alreadyMember(only)
    const fixed = await findFixedInvites(tx, account.id, own, addresses)
    const [alone] = fixed
    if (alone && addresses.length === 1) throw inviteFixed(alone)
    const left = [...members, ...fixed]
    const due = addresses.filter(address => mailable.has(address) && !left.includes(address))
    await checkSeats(ctx, tx, account.plan, due)
    // A parallel call has just sent an invite: its link must stay valid.
    const justSent = (await store.findInvitesAmong(tx, account.id, due)).filter(
      ({ role, sent_at }) => role === permission && sent_at > ctx.request.startedAt,
    )
    const results: SentInvite[] = []
    for (const address of addresses) {
      const twin = justSent.find(({ email }) => email === address)
      if (twin) {
        const { id, email, sent_at } = twin
        results.push({ id, email, permission, date_sent: sent_at.toISOString(), result: 'resent' })
        continue
      }
      const sent = due.includes(address)
        ? await sendInvite(ctx, tx, {
            email: address,
            role: permission,
            account_name: account.name,
            ...(addresses.length === 1 ? names : {}),
          })
        : null
      results.push(
        sent ?? {
          id: null,
          email: address,
          permission,
          date_sent: null,
          result: members.includes(address)
            ? 'already_member'
            : fixed.includes(address)
              ? 'permission_required'
              : 'too_many',
        },
      )
    }
    setInviteMessage(ctx, due.length, addresses.length - due.length)
    await ctx.saveIdempotentReply(tx, results)
    return results
  })
}

function setInviteMessage(ctx: AuthedContext, sent: number, left: number) {
  const some = left ? '_some' : ''
  if (sent) ctx.setMessage(`team.invited${some}_${sent === 1 ? 'one' : 'other'}`, { count: sent, left })
}

export function requireMayInvite({ actor }: AuthedContext, permission: AssignableRole) {
  if (!mayInvite(actor.permission, permission)) {
    throw new Refusal('permission_required', { field: 'permission' })
  }
}

/**
 * Locks the account and returns it with the caller's role. Refuses when it was closed, or the caller removed or
 * demoted, since the session was read.
 */
export async function lockAccountForInvite(ctx: AuthedContext, tx: Tx, permission: AssignableRole) {
  const account = await lockAccount(tx, ctx.actor.account_id, ctx.actor.user_id)
  if (!account) throw new Refusal('session_required')
  const own = await findCurrentRole(ctx, tx)
  if (!mayInvite(own, permission)) throw new Refusal('permission_required', { field: 'permission' })
  return { account, own }
}

/**
 * The addresses whose pending invite has a role that the caller may not give, so the caller may not overwrite it.
 */
export async function findFixedInvites(tx: Tx, accountId: string, own: Role, addresses: string[]) {
  const invites = await store.findInvitesAmong(tx, accountId, addresses)
  return invites
    .filter(({ role }) => !isAssignableRole(role) || !mayInvite(own, role))
    .map(({ email }) => email)
}

export const alreadyMember = (address: string) =>
  new Refusal('already_member', { field: 'email', text: 'team.already_member', values: { address } })

export const inviteFixed = (address: string) =>
  new Refusal('permission_required', {
    field: 'email',
    text: 'team.invited_otherwise',
    values: { address },
  })

export function parseInviteList(ctx: AuthedContext, typed: string): string[] {
  const { addresses, wrong } = parseAddresses(typed)
  const refuse = (text: string, values: Record<string, string | number>) =>
    new Refusal('invalid_input', { field: 'email', text, values })
  if (wrong !== null) throw refuse('team.address_wrong', { address: wrong })
  if (addresses.length === 0) throw refuse('form.required', { label: ctx.t('fields.email') })
  if (tooMany(addresses)) throw refuse('team.too_many', { count: limits.invite_emails })
  return addresses
}

/**
 * Consumes a limit for each mail; the call itself has consumed the first one.
 * @returns the addresses that may be mailed; a single address over its limit is refused
 */
async function consumeInviteLimits(ctx: AuthedContext, addresses: string[]): Promise<Set<string>> {
  for (const _ of addresses.slice(1)) await ctx.consume('invite:user', ctx.actor.user_id)
  const [only] = addresses
  if (only && addresses.length === 1) await consumeMailLimit(ctx, 'mail', only)
  if (addresses.length === 1) return new Set(addresses)
  const mailable = new Set<string>()
  for (const address of addresses) if (await tryConsumeMailLimit(ctx, 'mail', address)) mailable.add(address)
  return mailable
}

/** Members and pending invites hold a seat each. The count holds only under the account's lock. */
export async function checkSeats(ctx: AuthedContext, tx: Tx, plan: string | null, addresses: string[]) {
  if (addresses.length === 0 || seatsOf(plan) === null) return
  const { account_id } = ctx.actor
  const people =
    (await countMembers(tx, account_id)) +
    (await store.countValidInvites(tx, account_id, { now: ctx.now(), except: addresses })) +
    addresses.length
  if (hasRoom(plan, people)) return
  throw new Refusal('limit_reached', {
    text: 'team.limit_reached',
    values: { count: seatsOf(plan) ?? 0 },
    plan: cheapestPlanFor('users', people) ?? undefined,
  })
}

async function sendInvite(
  ctx: AuthedContext,
  tx: Tx,
  invited: {
    email: string
    role: AssignableRole
    account_name: string
    first_name?: string | undefined
    last_name?: string | undefined
  },
): Promise<SentInvite> {
  const { email, role, account_name, first_name = '', last_name = '' } = invited
  const { actor } = ctx
  const now = ctx.now()
  const secret = newToken()
  const made = newId(now.getTime())
  const { id } = await store.saveInvite(tx, {
    id: made,
    account_id: actor.account_id,
    email,
    role,
    first_name,
    last_name,
    secret_hash: hashToken(secret),
    invited_by: actor.user_id,
    sent_at: now,
    expires_at: new Date(now.getTime() + inviteDays * 86_400_000),
  })
  await recordAudit(ctx, tx, {
    account_id: actor.account_id,
    user_id: actor.user_id,
    action: 'invite.sent',
    target: id,
    metadata: { email, role },
    network: ctx.request.network,
  })
  await ctx.enqueueMail(tx, {
    kind: 'invite',
    to: email,
    // The language of the invited person is unknown; teams mostly share one.
    locale: ctx.locale,
    data: {
      inviter: `${actor.first_name} ${actor.last_name}`.trim(),
      account_name,
      role: ctx.t(`roles.${role}`),
      url: `${ctx.config.publicUrl}/signup/user?id=${secret}&email=${encodeURIComponent(email)}`,
      days: inviteDays,
    },
  })
  return {
    id,
    email,
    permission: role,
    date_sent: now.toISOString(),
    result: id === made ? 'sent' : 'resent',
  }
}
