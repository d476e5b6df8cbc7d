import type { Context, Tx } from '../../context.ts'
import { hashPassword } from '../../lib/passwords.ts'
import { Refusal } from '../../lib/refusal.ts'
import { auditPerson } from './guards.ts'
import * as links from './link-store.ts'
import { findLink, redeemLink, voidLinks } from './links.ts'
import { checkNewPassword } from './new-password.ts'
import { createSession } from './sessions.ts'

type Reset = { jwt: string; email?: string | undefined; password: string }

/**
 * Sets a new password with the secret of a mailed link. Every session ends, every other link and half-done second
 * step with it; the second factor stays and is asked for (V6.4.3).
 */
export async function resetPassword(ctx: Context, { jwt, email, password }: Reset) {
  // Looked at first: a password that is refused must not use the link up, and only a link's holder makes us hash.
  const about = await ctx.asSystem('look at a reset', async tx => {
    const link = await findLink(ctx, tx, 'reset', jwt)
    if (email !== undefined && email !== link.email)
      throw new Refusal('link_other_address', { field: 'email' })
    const accounts = await links.findAccounts(tx, link.user_id)
    return { ...link, account_name: accounts.map(({ name }) => name).join(' ') }
  })
  await checkNewPassword(password, about)
  const password_hash = await hashPassword(password)
  return ctx.asSystem('reset a password', async tx => {
    const user = await redeemLink(ctx, tx, 'reset', jwt)
    const replaced = await links.removePassword(tx, user.id)
    await links.setPassword(tx, user.id, password_hash)
    await links.removeAllSessions(tx, user.id)
    await voidLinks(tx, user.id)
    await tell(ctx, tx, user, replaced)
    ctx.setMessage('auth.password_reset')
    return createSession(ctx, tx, user, 'reset')
  })
}

async function tell(
  ctx: Context,
  tx: Tx,
  user: { id: string; email: string; locale: string; first_name: string },
  replaced: boolean,
) {
  await auditPerson(ctx, tx, user.id, { action: 'password.reset' })
  await ctx.enqueueMail(tx, {
    kind: replaced ? 'password_changed' : 'password_added',
    to: user.email,
    locale: user.locale,
    data: { name: user.first_name, url: `${ctx.config.publicUrl}/forgotpassword` },
  })
}
