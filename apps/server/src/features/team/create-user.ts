import type { SentInvite } from '@plinth/contract'
import type { AuthedContext } from '../../context.ts'
import { createMember } from '../../identity/add-member.ts'
import { recordAudit } from '../../identity/audit.ts'
import { lockEmail } from '../../identity/email-claim-store.ts'
import { consumeMailLimit } from '../../identity/mail-limits.ts'
import { checkNewPassword } from '../../identity/new-password.ts'
import { sendVerification } from '../../identity/send-verification.ts'
import { hashPassword } from '../../lib/passwords.ts'
import { Refusal } from '../../lib/refusal.ts'
import { assertSeatQuote } from '../billing/seats/seat-price.ts'
import {
  alreadyMember,
  checkSeats,
  findFixedInvites,
  type Inviting,
  inviteFixed,
  lockAccountForInvite,
  parseInviteList,
  requireMayInvite,
} from './invite.ts'
import { removeInviteTo } from './member-store.ts'
import * as store from './store.ts'

/**
 * Creates a user with a password that the admin knows, so it opens only the verification, which requires another
 * password. An address with a verified user gets a second, unverified user, as at sign-up: the reply is the same, and
 * only the owner of the mailbox can merge the two.
 *
 * Locks: the address, then the account.
 */
export async function createUser(
  ctx: AuthedContext,
  {
    email: typed,
    permission,
    password,
    quote,
    first_name = '',
    last_name = '',
  }: Inviting & { password: string },
): Promise<SentInvite[]> {
  requireMayInvite(ctx, permission)
  const [email, another] = parseInviteList(ctx, typed)
  if (email === undefined || another !== undefined)
    throw new Refusal('invalid_input', { field: 'email', text: 'team.one_address' })
  const { account_id, account_name } = ctx.actor
  await checkNewPassword(password, { first_name, last_name, email, account_name })
  await consumeMailLimit(ctx, 'mail', email)
  const password_hash = await hashPassword(password)
  return ctx.asSystem('create a user', async tx => {
    await lockEmail(tx, email)
    const { account, own } = await lockAccountForInvite(ctx, tx, permission)
    await assertSeatQuote(tx, account_id, quote)
    const [member] = await store.findMembersAmong(tx, account_id, [email])
    if (member) throw alreadyMember(member)
    const [fixed] = await findFixedInvites(tx, account_id, own, [email])
    if (fixed) throw inviteFixed(fixed)
    await checkSeats(ctx, tx, account.plan, [email])
    await removeInviteTo(tx, account_id, email)
    const person = { email, first_name, last_name }
    const user = await createMember(ctx, tx, person, { account_id, role: permission }, password_hash)
    await recordAudit(ctx, tx, {
      account_id,
      user_id: ctx.actor.user_id,
      action: 'member.created',
      target: user.id,
      metadata: { email, role: permission },
      network: ctx.request.network,
    })
    const created_by = `${ctx.actor.first_name} ${ctx.actor.last_name}`.trim()
    await sendVerification(ctx, tx, { ...user, account_name: account.name }, created_by)
    ctx.setMessage('team.created')
    const results: SentInvite[] = [{ id: null, email, permission, date_sent: null, result: 'created' }]
    await ctx.saveIdempotentReply(tx, results)
    return results
  })
}
