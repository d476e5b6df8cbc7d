import type { AuthedContext, Candidate, Context } from '../../context.ts'
import { invariant } from '../../lib/invariant.ts'
import { type VerifyPassword, withHashSlot } from '../../lib/passwords.ts'
import { Refusal } from '../../lib/refusal.ts'
import { toSessionUser } from './session-user.ts'
import { createSession, createSessionAlone } from './sessions.ts'
import { warnOwner } from './sign-in-warning.ts'
import * as store from './store.ts'

/** How many rows one address may try its password on; every refusal costs as many hashes (T-10). */
const mostCandidates = 2

/** Who is signed in; a dead token is an answer, not an error. */
export async function check(ctx: Context) {
  const actor = await ctx.identify()
  return actor ? { ...toSessionUser(actor), authenticated: true } : { authenticated: false }
}

/** Known and unknown addresses are refused alike, in words and in time (T-10). */
export const signIn = (ctx: Context, given: { email: string; password: string }) =>
  // In a flood most are turned away here, before the database hears of them.
  withHashSlot(fits => signInWith(ctx, fits, given))

async function signInWith(
  ctx: Context,
  fits: VerifyPassword,
  { email, password }: { email: string; password: string },
) {
  const attempt = await ctx.tryPassword(email, mostCandidates)
  const user = await whoFits(fits, attempt.candidates, password).catch(async error => {
    // It was not looked at: that says nothing about the password.
    await attempt.dropped()
    throw error
  })
  if (!user) {
    if (await attempt.failed()) await warnOwner(ctx, email)
    throw new Refusal('credentials_wrong', { field: 'password' })
  }
  const by = { verified: invariant(user.password_hash, 'the hash that fitted') }
  return createSessionAlone(ctx, user, by, await attempt.succeeded(user.id))
}

/**
 * A proven user whose password fits is let in at once. Every other outcome costs the same number of hashes, whatever
 * rows the address has: the time tells nothing about them.
 */
async function whoFits(
  fits: VerifyPassword,
  candidates: Candidate[],
  password: string,
): Promise<Candidate | null> {
  let found: Candidate | null = null
  for (let n = 0; n < mostCandidates; n++) {
    const candidate = candidates[n]
    const right = await fits(candidate?.password_hash ?? null, password)
    if (candidate && right && !found) found = candidate
    if (found?.verified) break
  }
  return found
}

export async function signOut(ctx: AuthedContext) {
  await ctx.asSystem('sign-out', tx => store.removeSession(tx, ctx.actor.session_id))
  ctx.clearStorage()
  return {}
}

/** Opens another of the user's accounts under a new token; the old session ends. */
export async function switchAccount(ctx: AuthedContext, { account }: { account: string }) {
  // A connection speaks for its own account alone; what it opened stays its own through any number of switches (T-53).
  const bySso = ctx.actor.method === 'saml'
  if (bySso && account !== ctx.actor.account_id) throw new Refusal('sso_alone')
  return ctx.asSystem('switch account', async tx => {
    await store.shareUser(tx, ctx.actor.user_id)
    const membership = await store.findMembership(tx, ctx.actor.user_id, account)
    if (!membership) throw new Refusal('account_unknown')
    const inherited = await store.removeSession(tx, ctx.actor.session_id)
    if (!inherited) throw new Refusal('session_required')
    // An owner or admin ended this member's sessions after this sign-in, which may be an attacker's.
    const { signed_out_at } = membership
    if (signed_out_at && inherited.authenticated_at <= signed_out_at) throw new Refusal('sign_in_again')
    const method = bySso ? 'saml' : 'switch'
    return createSession(ctx, tx, { id: ctx.actor.user_id }, method, { wanted: account, inherited })
  })
}
