import type { Context } from '../../context.ts'
import { hashPassword } from '../../lib/passwords.ts'
import { Refusal } from '../../lib/refusal.ts'
import { checkNewPassword } from '../auth/new-password.ts'
import { dropOtherClaims, holdAddress } from '../auth/proof.ts'
import { createSession } from '../auth/sessions.ts'
import { checkInvite, keepUsed, recordAcceptance, redeemInvite } from '../team/acceptance.ts'
import { newUser, type SignUp } from './service.ts'
import * as store from './store.ts'

/**
 * Lets a new person in by the link of an invite. The link reached the address, so the user is verified at once; who
 * already has a user keeps it untouched and signs in first, which only the holder of the secret is told (T-37).
 *
 * No budget of the address is spent here: the secret can't be guessed, and anybody could use up somebody else's.
 */
export async function acceptInvite(
  ctx: Context,
  { invite_id, password, ...person }: SignUp & { invite_id: string },
) {
  const { email, first_name, last_name } = person
  const shown = { secret: invite_id, email }
  // Before the password is hashed: that work is only for who holds a secret.
  const { account_name } = await ctx.asSystem('look at an invite', tx => checkInvite(ctx, tx, shown))
  await checkNewPassword(password, { ...person, account_name })
  const password_hash = await hashPassword(password)
  return ctx.asSystem('accept an invite', async tx => {
    const known = await holdAddress(tx, email)
    const invite = await redeemInvite(ctx, tx, shown)
    if (known) throw new Refusal('invite_sign_in')
    const created_at = ctx.now()
    const user = newUser(ctx, { first_name, last_name, email }, password_hash, created_at)
    await store.insertUser(tx, { ...user, verified_at: created_at })
    await dropOtherClaims(tx, user)
    await store.insertMembership(tx, {
      account_id: invite.account_id,
      user_id: user.id,
      role: invite.role,
      created_at,
    })
    await keepUsed(ctx, tx, invite, user)
    await recordAcceptance(ctx, tx, { invite, user })
    const opened = await createSession(ctx, tx, user, 'invite', { wanted: invite.account_id })
    await ctx.saveIdempotentReply(tx, opened)
    return opened
  })
}
