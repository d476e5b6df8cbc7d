import type { AuthedContext, Tx } from '../../../context.ts'
import { createSession } from '../../../identity/create-session.ts'
import { endCurrentSession, lockCurrentUser } from '../../../identity/current-session.ts'
import {
  lockEmail,
  markVerified,
  moveAccounts,
  removeUnverifiedUsers,
} from '../../../identity/email-claim-store.ts'
import { consumeMailLimit } from '../../../identity/mail-limits.ts'
import { consumeMailedToken } from '../../../identity/mailed-token-store.ts'
import { checkNewPassword } from '../../../identity/new-password.ts'
import { sendVerification } from '../../../identity/send-verification.ts'
import { removeSessions } from '../../../identity/session-store.ts'
import { findGivenPassword } from '../../../identity/user-store.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { hashToken } from '../../../lib/crypto.ts'
import { hashPassword, passwordFits } from '../../../lib/passwords.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { findMailedAddress, replaceGivenPassword } from './store.ts'

export async function requestVerification(ctx: AuthedContext) {
  const { actor } = ctx
  if (actor.verified) return {}
  await ctx.consume('mail:user', actor.user_id)
  await consumeMailLimit(ctx, 'resend', actor.email)
  const sent = await ctx.asSystem('send a verification mail', async tx => {
    const user = await lockCurrentUser(ctx, tx)
    if (user.verified_at) return false
    await sendVerification(ctx, tx, { ...user, account_name: actor.account_name })
    return true
  })
  if (sent) ctx.setMessage('auth.verification_sent')
  return {}
}

/**
 * Verifies the address of a new user and removes the other unverified users of it. When the address has a verified user,
 * the new account moves to that user, who signs in with their own password; the unverified session never becomes theirs.
 *
 * Locks: the address, then the user's row. The session's copy of the user may be stale: the address must be that of the
 * row and of the link.
 */
export async function verifyEmail(
  ctx: AuthedContext,
  { token, password }: { token: string; password?: string },
) {
  const { actor } = ctx
  const token_hash = hashToken(token)
  const chosen = await checkOwnPassword(ctx, password)
  const session = await ctx.asSystem('verify email', async tx => {
    const email = await findMailedAddress(tx, token_hash, actor.user_id)
    if (!email) throw new Refusal('link_expired')
    const known = await lockEmail(tx, email)
    const user = await lockCurrentUser(ctx, tx)
    const consumed = await consumeMailedToken(tx, {
      token_hash,
      purpose: 'verify_email',
      user_id: user.id,
      now: ctx.now(),
    })
    if (!consumed || user.verified_at || user.email !== email) throw new Refusal('link_expired')
    if (known) {
      await moveAccounts(tx, user.id, known.id)
      return null
    }
    await markVerified(tx, user, ctx.now())
    await removeUnverifiedUsers(tx, user.email, user.id)
    const inherited = await endCurrentSession(ctx, tx)
    if (chosen) await setOwnPassword(tx, user, chosen)
    const opened = await createSession(ctx, tx, user, 'verification', { wanted: actor.account_id, inherited })
    crashPoint('verify:before_commit')
    return opened
  })
  crashPoint('verify:after_commit')
  if (!session) throw new Refusal('sign_in_again', { text: 'auth.account_attached' })
  return session
}

type OwnPassword = { given: string; hash: string }

/**
 * A user whose password an admin chose must choose another one with the verification. Checks and hashes it before the
 * transaction; null for a user who chose the password.
 */
async function checkOwnPassword(
  ctx: AuthedContext,
  password: string | undefined,
): Promise<OwnPassword | null> {
  const { actor } = ctx
  if (actor.verified) return null
  const given = await ctx.asSystem('read the password hash', tx => findGivenPassword(tx, actor.user_id))
  if (!given) return null
  if (password === undefined) throw new Refusal('password_given', { field: 'password' })
  await checkNewPassword(password, actor)
  if (await passwordFits(given, password))
    throw new Refusal('password_given', { field: 'password', text: 'auth.password_same' })
  return { given, hash: await hashPassword(password) }
}

/** The admin knows the old password, so its sessions end. */
async function setOwnPassword(tx: Tx, user: { id: string }, { given, hash }: OwnPassword) {
  await removeSessions(tx, { user_id: user.id })
  // A parallel verification has replaced it.
  if (!(await replaceGivenPassword(tx, user.id, given, hash))) throw new Refusal('link_expired')
}
