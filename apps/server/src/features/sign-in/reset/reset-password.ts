import type { Context, Tx } from '../../../context.ts'
import { recordUserAudit } from '../../../identity/audit.ts'
import { createSession } from '../../../identity/create-session.ts'
import { removeMailedTokens } from '../../../identity/mailed-token-store.ts'
import { checkNewPassword } from '../../../identity/new-password.ts'
import { removeSessions } from '../../../identity/session-store.ts'
import { findAccountsOfUser, removePassword } from '../../../identity/user-store.ts'
import { hashPassword } from '../../../lib/passwords.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { findLink, redeemLink } from '../mailed-link/mailed-link.ts'
import { setPassword } from './store.ts'

type Reset = { jwt: string; email?: string | undefined; password: string }

/**
 * Sets a new password with the token of a mailed link. Ends every session and second step and voids the other links; the
 * second factor stays on and is asked for.
 */
export async function resetPassword(ctx: Context, { jwt, email, password }: Reset) {
  // Checked before the link is used: a refused password must not use it, and only its holder can make us hash.
  const about = await ctx.asSystem('read a reset link', async tx => {
    const link = await findLink(ctx, tx, 'reset', jwt)
    if (email !== undefined && email !== link.email)
      throw new Refusal('link_other_address', { field: 'email' })
    const accounts = await findAccountsOfUser(tx, link.user_id)
    return { ...link, account_name: accounts.map(({ name }) => name).join(' ') }
  })
  await checkNewPassword(password, about)
  const password_hash = await hashPassword(password)
  return ctx.asSystem('reset a password', async tx => {
    const user = await redeemLink(ctx, tx, 'reset', jwt)
    const replaced = await removePassword(tx, user.id)
    await setPassword(tx, user.id, password_hash)
    await removeSessions(tx, { user_id: user.id })
    await removeMailedTokens(tx, user.id)
    await notifyPasswordReset(ctx, tx, user, replaced)
    ctx.setMessage('auth.password_reset')
    return createSession(ctx, tx, user, 'reset')
  })
}

async function notifyPasswordReset(
  ctx: Context,
  tx: Tx,
  user: { id: string; email: string; locale: string; first_name: string },
  replaced: boolean,
) {
  await recordUserAudit(ctx, tx, user.id, { action: 'password.reset' })
  await ctx.enqueueMail(tx, {
    kind: replaced ? 'password_changed' : 'password_added',
    to: user.email,
    locale: user.locale,
    data: { name: user.first_name, url: `${ctx.config.publicUrl}/forgotpassword` },
  })
}
