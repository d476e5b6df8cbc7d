import type { Context } from '../../context.ts'
import { insertMembership, insertUser } from '../../identity/account-store.ts'
import { type NewPerson, newUser } from '../../identity/create-account.ts'
import { createSession } from '../../identity/create-session.ts'
import { lockEmail, removeUnverifiedUsers } from '../../identity/email-claim-store.ts'
import { checkNewPassword } from '../../identity/new-password.ts'
import { hashPassword } from '../../lib/passwords.ts'
import { Refusal } from '../../lib/refusal.ts'
import { checkInvite, recordAcceptance, redeemInvite, saveUsedInvite } from './redeem-invite.ts'

/**
 * Creates the user of a new person who accepts an invite. The link was mailed to the address, so the user is verified at
 * once. An address with a verified user is refused: that user signs in first.
 *
 * Consumes no limit of the address: the secret can't be guessed, and another person could use the limit up.
 */
export async function acceptInvite(
  ctx: Context,
  { invite_id, password, ...person }: NewPerson & { invite_id: string; password: string },
) {
  const { email, first_name, last_name } = person
  const claim = { secret: invite_id, email }
  // Checked before hashing, which is expensive: only the holder of the secret can cause it.
  const { account_name } = await ctx.asSystem('read an invite', tx => checkInvite(ctx, tx, claim))
  await checkNewPassword(password, { ...person, account_name })
  const password_hash = await hashPassword(password)
  return ctx.asSystem('accept an invite', async tx => {
    const emailHasUser = await lockEmail(tx, email)
    const invite = await redeemInvite(ctx, tx, claim)
    if (emailHasUser) throw new Refusal('invite_sign_in')
    const created_at = ctx.now()
    const user = newUser(ctx, { first_name, last_name, email }, password_hash, created_at)
    await insertUser(tx, { ...user, verified_at: created_at })
    await removeUnverifiedUsers(tx, user.email, user.id)
    await insertMembership(tx, {
      account_id: invite.account_id,
      user_id: user.id,
      role: invite.role,
      created_at,
    })
    await saveUsedInvite(ctx, tx, invite, user)
    await recordAcceptance(ctx, tx, { invite, user })
    const opened = await createSession(ctx, tx, user, 'invite', { wanted: invite.account_id })
    await ctx.saveIdempotentReply(tx, opened)
    return opened
  })
}
