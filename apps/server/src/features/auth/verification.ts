import type { Context, SignedIn, Tx, World } from '../../context.ts'
import { hashToken, newToken } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createSession } from './sessions.ts'
import * as store from './store.ts'

const linkHours = 24

type Unproven = { id: string; email: string; first_name: string; locale: string; account_name: string }

/**
 * Makes a new verification link, voids the older ones and puts the mail on its way in the same transaction.
 * An address that already has a proven user gets another text; the caller's answer is the same (T-10).
 */
export async function sendVerification(world: World, tx: Tx, user: Unproven) {
  const now = world.now()
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
    url: `${world.config.publicUrl}/signup/verify?token=${token}`,
    hours: linkHours,
  }
  await world.enqueueMail(
    tx,
    known
      ? {
          kind: 'sign_up_taken',
          to: user.email,
          locale: known.locale,
          data: { ...data, account_name: user.account_name },
        }
      : { kind: 'verify_email', to: user.email, locale: user.locale, data },
    { expiresAt: expires_at },
  )
}

export async function requestVerification(ctx: SignedIn) {
  const { actor } = ctx
  if (!actor.verified) {
    await ctx.spend('mail:address', actor.email)
    await ctx.asSystem('verification mail', tx => sendVerification(ctx, tx, { ...actor, id: actor.user_id }))
  }
  ctx.say('auth.verification_sent')
  return {}
}

/**
 * The address is proven. A new one verifies the user and drops every other unproven claim to it. One that already
 * has a proven user moves the new account to that user, who signs in with the password they already had: the
 * unproven session never becomes theirs (T-38).
 */
export async function verifyEmail(ctx: SignedIn, { token }: { token: string }) {
  const { actor } = ctx
  const session = await ctx.asSystem('verify email', async tx => {
    await store.lockAddress(tx, actor.email)
    const proven = await store.consumeMailedToken(tx, {
      token_hash: hashToken(token),
      purpose: 'verify_email',
      user_id: actor.user_id,
      now: ctx.now(),
    })
    if (!proven || proven.email !== actor.email) throw new Refusal('link_expired')
    const known = await store.findVerifiedByEmail(tx, proven.email)
    if (known && known.id !== actor.user_id) {
      await store.attachAccounts(tx, actor.user_id, known.id)
      return null
    }
    await store.markVerified(tx, actor.user_id, ctx.now())
    await store.removeUnproven(tx, proven.email, actor.user_id)
    return renewSession(ctx, tx)
  })
  if (!session) throw new Refusal('sign_in_again', { text: 'auth.account_attached' })
  return session
}

/** A new token at each change of strength; the old session ends (T-19). */
async function renewSession(ctx: Context & { actor: SignedIn['actor'] }, tx: Tx) {
  await store.removeSession(tx, ctx.actor.session_id)
  return createSession(ctx, tx, { id: ctx.actor.user_id }, 'verification', ctx.actor.account_id)
}
