import type { AuthedContext, Services, Tx } from '../../context.ts'
import { crashPoint } from '../../lib/crash-points.ts'
import { hashToken, newToken } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { hashPassword, passwordFits } from '../../lib/passwords.ts'
import { Refusal } from '../../lib/refusal.ts'
import * as links from './link-store.ts'
import { spendOnMail } from './mail-budget.ts'
import { checkNewPassword } from './new-password.ts'
import { dropOtherClaims, holdAddress } from './proof.ts'
import { createSession } from './sessions.ts'
import * as store from './store.ts'

const linkHours = 24

type Unproven = { id: string; email: string; first_name: string; locale: string; account_name: string }

/**
 * Makes a new verification link, voids the older ones and puts the mail on its way in the same transaction.
 * An address that already has a proven user gets another text; the caller's answer is the same (T-10).
 * @param createdBy who has made this user, if it was somebody else
 */
export async function sendVerification(services: Services, tx: Tx, user: Unproven, createdBy?: string) {
  const now = services.now()
  const token = newToken()
  const expires_at = new Date(now.getTime() + linkHours * 3_600_000)
  await store.removeMailedTokens(tx, user.id, 'verify_email')
  await store.insertMailedToken(tx, {
    id: newId(now.getTime()),
    token_hash: hashToken(token),
    purpose: 'verify_email',
    user_id: user.id,
    email: user.email,
    created_at: now,
    expires_at,
  })
  const known = await store.findVerifiedByEmail(tx, user.email)
  const data = {
    name: user.first_name,
    url: `${services.config.publicUrl}/signup/verify?token=${token}`,
    hours: linkHours,
  }
  await services.enqueueMail(
    tx,
    known
      ? {
          kind: 'sign_up_taken',
          to: user.email,
          locale: known.locale,
          data: { ...data, account_name: user.account_name },
        }
      : createdBy === undefined
        ? { kind: 'verify_email', to: user.email, locale: user.locale, data }
        : {
            kind: 'user_created',
            to: user.email,
            locale: user.locale,
            data: { ...data, by: createdBy, account_name: user.account_name },
          },
    { expiresAt: expires_at },
  )
}

export async function requestVerification(ctx: AuthedContext) {
  const { actor } = ctx
  if (actor.verified) return {}
  await ctx.consume('mail:user', actor.user_id)
  await spendOnMail(ctx, 'resend', actor.email)
  const sent = await ctx.asSystem('verification mail', async tx => {
    const user = await heldUser(ctx, tx)
    if (user.verified_at) return false
    await sendVerification(ctx, tx, { ...user, account_name: actor.account_name })
    return true
  })
  if (sent) ctx.setMessage('auth.verification_sent')
  return {}
}

/**
 * The address is proven. A new one verifies the user and drops every other unproven claim to it. One that already
 * has a proven user moves the new account to that user, who signs in with the password they already had: the
 * unproven session never becomes theirs (T-38).
 *
 * Locks: the address, then the user's row. What the session said of the user is old by then: only an address that
 * the row still has, and that this link was made for, is proven.
 */
export async function verifyEmail(
  ctx: AuthedContext,
  { token, password }: { token: string; password?: string },
) {
  const { actor } = ctx
  const token_hash = hashToken(token)
  const chosen = await ownPassword(ctx, password)
  const session = await ctx.asSystem('verify email', async tx => {
    const email = await store.findMailedAddress(tx, token_hash, actor.user_id)
    if (!email) throw new Refusal('link_expired')
    const known = await holdAddress(tx, email)
    const user = await heldUser(ctx, tx)
    const proven = await store.consumeMailedToken(tx, {
      token_hash,
      purpose: 'verify_email',
      user_id: user.id,
      now: ctx.now(),
    })
    if (!proven || user.verified_at || user.email !== email) throw new Refusal('link_expired')
    if (known) {
      await store.attachAccounts(tx, user.id, known.id)
      return null
    }
    await store.markVerified(tx, user, ctx.now())
    await dropOtherClaims(tx, user)
    const inherited = await store.removeSession(tx, actor.session_id)
    if (!inherited) throw new Refusal('session_required')
    if (chosen) await takeOwnPassword(tx, user, chosen)
    const opened = await createSession(ctx, tx, user, 'verification', { wanted: actor.account_id, inherited })
    crashPoint('verify:before_commit')
    return opened
  })
  crashPoint('verify:after_commit')
  if (!session) throw new Refusal('sign_in_again', { text: 'auth.account_attached' })
  return session
}

type Chosen = { given: string; hash: string }

/**
 * A password that somebody else has chosen ends with the proof of the address, which takes another one: looked at and
 * hashed before the transaction (T-37). Null for whoever has chosen their own.
 */
async function ownPassword(ctx: AuthedContext, password: string | undefined): Promise<Chosen | null> {
  const { actor } = ctx
  if (actor.verified) return null
  const given = await ctx.asSystem('look at the password', tx => links.findGivenPassword(tx, actor.user_id))
  if (!given) return null
  if (password === undefined) throw new Refusal('password_given', { field: 'password' })
  await checkNewPassword(password, actor)
  if (await passwordFits(given, password))
    throw new Refusal('password_given', { field: 'password', text: 'auth.password_same' })
  return { given, hash: await hashPassword(password) }
}

/** Whoever knows the old one is signed out with it. */
async function takeOwnPassword(tx: Tx, user: { id: string }, { given, hash }: Chosen) {
  await links.removeAllSessions(tx, user.id)
  // It was set in between, by another proof under way.
  if (!(await links.replaceGivenPassword(tx, user.id, given, hash))) throw new Refusal('link_expired')
}

/**
 * An invite reached the address that this unverified user signed up with, so the address is proven, as by the link of
 * their own sign-up. The caller holds nothing yet and has checked that the invite is to this address.
 * @returns false when the address has a verified user by now: the new account moves to them, and they sign in
 */
export async function proveByInvite(ctx: AuthedContext, tx: Tx, email: string): Promise<boolean> {
  const known = await holdAddress(tx, email)
  const user = await heldUser(ctx, tx)
  if (user.verified_at) return true
  if (user.email !== email) throw new Refusal('invite_other_address', { field: 'email' })
  // Somebody else chose the password: only the verification link replaces it.
  if (await links.findGivenPassword(tx, user.id)) throw new Refusal('verification_required')
  if (known) {
    await store.attachAccounts(tx, user.id, known.id)
    return false
  }
  await store.markVerified(tx, user, ctx.now())
  await dropOtherClaims(tx, user)
  return true
}

/** The actor's own row, held. It may have gone since the session was read: another link of theirs moved the account. */
export async function heldUser(ctx: AuthedContext, tx: Tx) {
  const user = await store.lockUser(tx, ctx.actor.user_id)
  if (!user) throw new Refusal('session_required')
  return user
}
