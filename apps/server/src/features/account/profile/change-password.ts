import type { AuthedContext } from '../../../context.ts'
import { recordUserAudit } from '../../../identity/audit.ts'
import { createSession, parseSignInMethod } from '../../../identity/create-session.ts'
import { endCurrentSession, lockCurrentUser } from '../../../identity/current-session.ts'
import { removeMailedTokens } from '../../../identity/mailed-token-store.ts'
import { checkNewPassword } from '../../../identity/new-password.ts'
import { removeSessions } from '../../../identity/session-store.ts'
import { demandProof } from '../../../identity/step-up.ts'
import { findPasswordHash } from '../../../identity/user-store.ts'
import { hashPassword, passwordFits } from '../../../lib/passwords.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { replacePassword } from './store.ts'

type Change = { oldpassword?: string; newpassword: string; code?: string }

/**
 * Changes the password, or creates the first one. The user's row decides whether the old password is required, never
 * the call. Ends the other sessions and replaces the token of this one.
 */
export async function changePassword(ctx: AuthedContext, { oldpassword, newpassword, code }: Change) {
  const { actor } = ctx
  const kept = await ctx.asSystem('read the password hash', tx => findPasswordHash(tx, actor.user_id))
  if (kept) await checkOldPassword(ctx, kept, oldpassword)
  else await demandProof(ctx, { code })
  // Only a caller who has just proven the password learns that it is the same.
  if (kept && newpassword === oldpassword) throw new Refusal('password_same', { field: 'newpassword' })
  const account_name = actor.accounts.map(({ name }) => name).join(' ')
  await checkNewPassword(newpassword, { ...actor, account_name }, 'newpassword')
  const hash = await hashPassword(newpassword)
  ctx.setMessage(kept ? 'profile.password_changed' : 'profile.password_created')
  return ctx.asSystem('change the password', async tx => {
    const user = await lockCurrentUser(ctx, tx)
    // A parallel call has changed the password.
    if (!(await replacePassword(tx, user.id, kept, hash)))
      throw new Refusal('password_wrong', { field: 'oldpassword' })
    const inherited = await endCurrentSession(ctx, tx)
    await removeSessions(tx, { user_id: user.id })
    await removeMailedTokens(tx, user.id)
    await recordUserAudit(ctx, tx, user.id, { action: kept ? 'password.changed' : 'password.created' })
    await ctx.enqueueMail(tx, {
      kind: kept ? 'password_changed' : 'password_added',
      to: user.email,
      locale: user.locale,
      data: { name: user.first_name, url: `${ctx.config.publicUrl}/forgotpassword` },
    })
    return createSession(ctx, tx, user, parseSignInMethod(actor.method), {
      wanted: actor.account_id,
      // The old password counts as a sign-in.
      inherited: kept ? { ...inherited, authenticated_at: ctx.now() } : inherited,
    })
  })
}

async function checkOldPassword(ctx: AuthedContext, kept: string, typed: string | undefined) {
  if (typed === undefined)
    throw new Refusal('invalid_input', {
      field: 'oldpassword',
      text: 'form.required',
      values: { label: ctx.t('fields.oldpassword') },
    })
  // Limited, so that a stolen session can't guess the password.
  await ctx.consume('step_up:user', ctx.actor.user_id)
  if (!(await passwordFits(kept, typed))) throw new Refusal('password_wrong', { field: 'oldpassword' })
}
