import type { AuthedContext, Context } from '../../context.ts'
import { createSession } from '../../identity/create-session.ts'
import { endCurrentSession } from '../../identity/current-session.ts'
import { removeSession } from '../../identity/session-store.ts'
import { toSessionUser } from '../../identity/session-user.ts'
import { shareLockUser } from '../../identity/user-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findMembership } from './membership-store.ts'

/** The signed-in user; an expired token is an answer, not an error. */
export async function checkSession(ctx: Context) {
  const actor = await ctx.identify()
  return actor ? { ...toSessionUser(actor), authenticated: true } : { authenticated: false }
}

export async function signOut(ctx: AuthedContext) {
  await ctx.asSystem('sign-out', tx => removeSession(tx, ctx.actor.session_id))
  ctx.clearStorage()
  return {}
}

/** Opens another of the user's accounts with a new token; the old session ends. */
export async function switchAccount(ctx: AuthedContext, { account }: { account: string }) {
  // An SSO session opens only the account of its connection, however often it is switched.
  const bySso = ctx.actor.method === 'saml'
  if (bySso && account !== ctx.actor.account_id) throw new Refusal('sso_alone')
  return ctx.asSystem('switch account', async tx => {
    await shareLockUser(tx, ctx.actor.user_id)
    const membership = await findMembership(tx, ctx.actor.user_id, account)
    if (!membership) throw new Refusal('account_unknown')
    const inherited = await endCurrentSession(ctx, tx)
    // An admin ended the member's sessions after this sign-in, which may be an attacker's.
    const { signed_out_at } = membership
    if (signed_out_at && inherited.authenticated_at <= signed_out_at) throw new Refusal('sign_in_again')
    const method = bySso ? 'saml' : 'switch'
    return createSession(ctx, tx, { id: ctx.actor.user_id }, method, { wanted: account, inherited })
  })
}
