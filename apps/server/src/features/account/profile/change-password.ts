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
 * Changes the password, or creates one. Whether there is one, and so whether it is asked for, is what the row says,
 * never what the call says (T-20). Everything that the old one has opened ends (V7.4.3), and this session goes on under
 * a new token (V7.2.4).
 */
export async function changePassword(ctx: AuthedContext, { oldpassword, newpassword, code }: Change) {
  const { actor } = ctx
  const kept = await ctx.asSystem('look at the password', tx => findPasswordHash(tx, actor.user_id))
  if (kept) await checkOld(ctx, kept, oldpassword)
  else await demandProof(ctx, { code })
  // Told to nobody but who has just proven it.
  if (kept && newpassword === oldpassword) throw new Refusal('password_same', { field: 'newpassword' })
  const account_name = actor.accounts.map(({ name }) => name).join(' ')
  await checkNewPassword(newpassword, { ...actor, account_name }, 'newpassword')
  const hash = await hashPassword(newpassword)
  ctx.setMessage(kept ? 'profile.password_changed' : 'profile.password_created')
  return ctx.asSystem('change the password', async tx => {
    const user = await lockCurrentUser(ctx, tx)
    // Another call has changed it since: what was proven is not the password any more.
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
      // The old password is as good as a sign-in.
      inherited: kept ? { ...inherited, authenticated_at: ctx.now() } : inherited,
    })
  })
}

async function checkOld(ctx: AuthedContext, kept: string, typed: string | undefined) {
  if (typed === undefined)
    throw new Refusal('invalid_input', {
      field: 'oldpassword',
      text: 'form.required',
      values: { label: ctx.t('fields.oldpassword') },
    })
  // A stolen session must not guess the password behind it.
  await ctx.consume('step_up:user', ctx.actor.user_id)
  if (!(await passwordFits(kept, typed))) throw new Refusal('password_wrong', { field: 'oldpassword' })
}
