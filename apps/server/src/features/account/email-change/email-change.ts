import type { AuthedContext, Services, Tx } from '../../../context.ts'
import { recordUserAudit } from '../../../identity/audit.ts'
import { createSession, parseSignInMethod } from '../../../identity/create-session.ts'
import { endCurrentSession, lockCurrentUser } from '../../../identity/current-session.ts'
import { lockEmail, removeUnverifiedUsers } from '../../../identity/email-claim-store.ts'
import { consumeMailLimit } from '../../../identity/mail-limits.ts'
import { removeMailedTokens } from '../../../identity/mailed-token-store.ts'
import { removeSessions } from '../../../identity/session-store.ts'
import { findVerifiedUser } from '../../../identity/user-store.ts'
import { hashToken, newToken } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as store from './store.ts'

const confirmHours = 24
const undoDays = 7

type Person = { id: string; email: string; first_name: string; locale: string }

/**
 * A verified user requests a new address. The old one stays in use until the new one is confirmed; it gets a mail
 * with a link that undoes the change. Only the new mailbox learns whether the new address has a user.
 */
export async function requestEmailChange(ctx: AuthedContext, tx: Tx, user: Person, new_email: string) {
  const now = ctx.now()
  const undo = newToken()
  const id = newId(now.getTime())
  // The undo link removes the sign-in methods that an attacker may have added: since the start of this sign-in, and
  // at least of the last week, because an earlier one may be how the attacker signed in again.
  const began = await store.findSignInStart(tx, ctx.actor.session_id)
  if (!began) throw new Refusal('session_required')
  const weekBefore = daysAfter(now, -undoDays)
  await store.cancelPendingChange(tx, user.id)
  await store.insertChange(tx, {
    id,
    user_id: user.id,
    old_email: user.email,
    new_email,
    ...(await sendConfirmation(ctx, tx, user, new_email)),
    undo_hash: hashToken(undo),
    created_at: now,
    expires_at: daysAfter(now, undoDays),
    methods_added_since: began < weekBefore ? began : weekBefore,
    sign_in_started_at: began,
  })
  await ctx.enqueueMail(tx, {
    kind: 'email_change_notice',
    to: user.email,
    locale: user.locale,
    data: {
      name: user.first_name,
      email: new_email,
      url: `${ctx.config.publicUrl}/signin/undo?token=${undo}`,
      days: undoDays,
    },
  })
  await recordUserAudit(ctx, tx, user.id, { action: 'email.change_asked' })
}

const daysAfter = (time: Date, days: number) => new Date(time.getTime() + days * 86_400_000)

/** Mails the confirmation link. A new address that has a user gets a notice without a link. */
async function sendConfirmation(services: Services, tx: Tx, user: Person, to: string) {
  const token = newToken()
  const confirm_expires_at = new Date(services.now().getTime() + confirmHours * 3_600_000)
  const known = await findVerifiedUser(tx, to)
  if (known)
    await services.enqueueMail(tx, {
      kind: 'email_change_taken',
      to,
      locale: known.locale,
      data: { name: known.first_name, url: `${services.config.publicUrl}/login` },
    })
  else
    await services.enqueueMail(
      tx,
      {
        kind: 'email_change',
        to,
        locale: user.locale,
        data: {
          name: user.first_name,
          old: user.email,
          url: `${services.config.publicUrl}/signup/verify?token=${token}`,
          hours: confirmHours,
        },
      },
      { expiresAt: confirm_expires_at },
    )
  return { confirm_hash: hashToken(token), confirm_expires_at }
}

/** Mails another confirmation link and voids the one before. */
export async function resendConfirmation(ctx: AuthedContext) {
  const { actor } = ctx
  const pending = await ctx.asSystem('read a change of address', tx =>
    store.findPendingChange(tx, actor.user_id),
  )
  if (!pending) return {}
  await ctx.consume('mail:user', actor.user_id)
  await consumeMailLimit(ctx, 'resend', pending.new_email)
  await ctx.asSystem('resend the confirmation link', async tx => {
    const user = await lockCurrentUser(ctx, tx)
    const still = await store.findPendingChange(tx, user.id)
    if (still?.id !== pending.id) return
    await store.renewConfirmation(tx, still.id, await sendConfirmation(ctx, tx, user, still.new_email))
  })
  ctx.setMessage('auth.verification_sent')
  return {}
}

/**
 * Confirms the new address. Ends the other sessions, voids mailed links and replaces the token of this session.
 *
 * Locks: the address, then the user's row.
 */
export async function confirmEmailChange(ctx: AuthedContext, { token }: { token: string }) {
  const { actor } = ctx
  const link = { confirm_hash: hashToken(token), user_id: actor.user_id, now: ctx.now() }
  const session = await ctx.asSystem('confirm a new address', async tx => {
    const asked = await store.findConfirmation(tx, link)
    if (!asked) throw new Refusal('link_expired')
    const known = await lockEmail(tx, asked.new_email)
    const user = await lockCurrentUser(ctx, tx)
    const taken = await store.consumeConfirmation(tx, link)
    // Another change was confirmed first, or another user has proven the address.
    if (!taken || known || user.email !== asked.old_email) throw new Refusal('link_expired')
    await store.setEmail(tx, user.id, asked.new_email)
    await removeUnverifiedUsers(tx, asked.new_email, user.id)
    const inherited = await endCurrentSession(ctx, tx)
    await removeSessions(tx, { user_id: user.id })
    await removeMailedTokens(tx, user.id)
    await recordUserAudit(ctx, tx, user.id, { action: 'email.changed' })
    for (const to of [asked.old_email, asked.new_email])
      await ctx.enqueueMail(tx, {
        kind: 'email_changed',
        to,
        locale: user.locale,
        data: {
          name: user.first_name,
          email: asked.new_email,
          url: `${ctx.config.publicUrl}/account/profile`,
        },
      })
    return createSession(ctx, tx, user, parseSignInMethod(actor.method), {
      wanted: actor.account_id,
      inherited,
    })
  })
  ctx.setMessage('profile.email_changed')
  return session
}
