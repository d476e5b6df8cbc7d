import type { Context } from '../../../context.ts'
import { createSession } from '../../../identity/create-session.ts'
import { redeemLink } from '../mailed-link/mailed-link.ts'

export async function verifyMagicLink(ctx: Context, { token }: { token: string }) {
  return ctx.asSystem('magic link', async tx => {
    const user = await redeemLink(ctx, tx, 'magic', token)
    if (user.lost_password) ctx.setMessage('auth.password_dropped')
    return createSession(ctx, tx, user, 'magic')
  })
}
