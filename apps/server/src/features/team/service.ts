import { limits } from '@plinth/contract/patterns'
import { planFor } from '@plinth/contract/plans'
import type { GivenRole } from '@plinth/contract/roles'
import type { SignedIn, Tx } from '../../context.ts'
import { hashToken, newToken } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { must } from '../../lib/must.ts'
import { Refusal } from '../../lib/refusal.ts'
import { countMembers, lockAccount } from '../accounts/standing.ts'
import { audit } from '../audit/service.ts'
import { givableBy, hasRoom, inviteDays, mayInvite, readAddresses, seatsOf, tooMany } from './rules.ts'
import * as store from './store.ts'

/** The roles that the asking person can give, with their names in the language of the call. */
export async function listPermissions(ctx: SignedIn) {
  return Object.fromEntries(
    givableBy(ctx.actor.permission).map(role => [role, { label: ctx.t(`roles.${role}`) }]),
  )
}

/** Invites every address of a list, or none. An address that was invited before gets a new link. */
export async function invite(ctx: SignedIn, { email, permission }: { email: string; permission: GivenRole }) {
  if (!mayInvite(ctx.actor.permission, permission)) {
    throw new Refusal('permission_required', { field: 'permission' })
  }
  const addresses = addressesOf(ctx, email)
  await spendFor(ctx, addresses)
  return ctx.within(async tx => {
    const account = must(await lockAccount(tx, ctx.actor.account_id), 'the account of a session')
    await checkRoom(ctx, tx, account.plan, addresses)
    const invites = []
    for (const address of addresses) {
      invites.push(
        await sendInvite(ctx, tx, { email: address, role: permission, account_name: account.name }),
      )
    }
    ctx.say(invites.length === 1 ? 'team.invited_one' : 'team.invited_other', { count: invites.length })
    await ctx.keep(tx, invites)
    return invites
  })
}

function addressesOf(ctx: SignedIn, typed: string): string[] {
  const { addresses, wrong } = readAddresses(typed)
  const refuse = (text: string, values: Record<string, string | number>) =>
    new Refusal('invalid_input', { field: 'email', text, values })
  if (wrong !== null) throw refuse('team.address_wrong', { address: wrong })
  if (addresses.length === 0) throw refuse('form.required', { label: ctx.t('fields.email') })
  if (tooMany(addresses)) throw refuse('team.too_many', { count: limits.invite_emails })
  return addresses
}

/** Every mail counts, not every call; the call itself has paid for the first one (T-72). */
async function spendFor(ctx: SignedIn, addresses: string[]) {
  for (const _ of addresses.slice(1)) await ctx.spend('invite:user', ctx.actor.user_id)
  for (const address of addresses) await ctx.spend('mail:address', address)
}

/** Members and pending invites hold a seat each. Only under the account's lock is the count worth anything. */
async function checkRoom(ctx: SignedIn, tx: Tx, plan: string | null, addresses: string[]) {
  const { account_id } = ctx.actor
  const [member] = await store.findMembersAmong(tx, account_id, addresses)
  if (member) {
    throw new Refusal('already_member', {
      field: 'email',
      text: 'team.already_member',
      values: { address: member },
    })
  }
  const people =
    (await countMembers(tx, account_id)) +
    (await store.countPending(tx, account_id, { now: ctx.now(), except: addresses })) +
    addresses.length
  if (hasRoom(plan, people)) return
  throw new Refusal('limit_reached', {
    text: 'team.limit_reached',
    values: { count: seatsOf(plan) ?? 0 },
    plan: planFor('users', people) ?? undefined,
  })
}

async function sendInvite(
  ctx: SignedIn,
  tx: Tx,
  { email, role, account_name }: { email: string; role: GivenRole; account_name: string },
) {
  const { actor } = ctx
  const now = ctx.now()
  const secret = newToken()
  const { id } = await store.saveInvite(tx, {
    id: newId(now.getTime()),
    account_id: actor.account_id,
    email,
    role,
    secret_hash: hashToken(secret),
    invited_by: actor.user_id,
    sent_at: now,
    expires_at: new Date(now.getTime() + inviteDays * 86_400_000),
  })
  await audit(ctx, tx, {
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
    // Nobody knows yet what the invited person reads; a team mostly shares a language.
    locale: ctx.locale,
    data: {
      inviter: `${actor.first_name} ${actor.last_name}`.trim(),
      account_name,
      role: ctx.t(`roles.${role}`),
      url: `${ctx.config.publicUrl}/signup/user?id=${secret}&email=${encodeURIComponent(email)}`,
      days: inviteDays,
    },
  })
  return { id, email, permission: role, date_sent: now.toISOString() }
}
