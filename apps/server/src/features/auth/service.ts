import type { Context, SignedIn } from '../../context.ts'
import { type Fits, withPlace } from '../../lib/passwords.ts'
import { Refusal } from '../../lib/refusal.ts'
import { toSessionUser } from './session-user.ts'
import { createSession } from './sessions.ts'
import { warnOwner } from './sign-in-warning.ts'
import * as store from './store.ts'

/** Who is signed in; a dead token is an answer, not an error. */
export async function check(ctx: Context) {
  const actor = await ctx.identify()
  return actor ? { ...toSessionUser(actor), authenticated: true } : { authenticated: false }
}

/** Known and unknown addresses are refused alike, in words and in time (T-10). */
export const signIn = (ctx: Context, given: { email: string; password: string }) =>
  // In a flood most are turned away here, before the database hears of them.
  withPlace(fits => signInWith(ctx, fits, given))

async function signInWith(
  ctx: Context,
  fits: Fits,
  { email, password }: { email: string; password: string },
) {
  const browser = ctx.browser.known()
  const candidates = await ctx.bare(tx => store.findCandidates(tx, email, browser))
  const knows = candidates.some(({ knows_browser }) => knows_browser)
  const attempt = await ctx.brake({ email, browser: knows ? browser : null })
  const user = await whoFits(fits, candidates, password).catch(async error => {
    // It was not looked at: that says nothing about the password.
    await attempt.dropped()
    throw error
  })
  if (!user) {
    if (await attempt.failed()) await warnOwner(ctx, email)
    throw new Refusal('credentials_wrong', { field: 'password' })
  }
  await attempt.succeeded(user.id)
  return ctx.asSystem('sign-in', tx =>
    createSession(ctx, tx, user, 'password', { verified: user.password_hash }),
  )
}

/**
 * A proven user whose password fits is let in at once. Every other outcome costs the same number of hashes, whatever
 * rows the address has: the time tells nothing about them.
 */
async function whoFits<T extends store.Candidate>(
  fits: Fits,
  candidates: T[],
  password: string,
): Promise<T | null> {
  let found: T | null = null
  for (let n = 0; n < store.mostCandidates; n++) {
    const candidate = candidates[n]
    const right = await fits(candidate?.password_hash ?? null, password)
    if (candidate && right && !found) found = candidate
    if (found?.verified) break
  }
  return found
}

export async function signOut(ctx: SignedIn) {
  await ctx.asSystem('sign-out', tx => store.removeSession(tx, ctx.actor.session_id))
  ctx.clearStorage()
  return {}
}

/** Opens another of the user's accounts under a new token; the old session ends. */
export async function switchAccount(ctx: SignedIn, { account }: { account: string }) {
  // A connection speaks for its own account alone; what it opened stays its own through any number of switches (T-53).
  const bySso = ctx.actor.method === 'saml'
  if (bySso && account !== ctx.actor.account_id) throw new Refusal('sso_alone')
  return ctx.asSystem('switch account', async tx => {
    await store.shareUser(tx, ctx.actor.user_id)
    if (!(await store.findMembership(tx, ctx.actor.user_id, account))) throw new Refusal('account_unknown')
    const inherited = await store.removeSession(tx, ctx.actor.session_id)
    if (!inherited) throw new Refusal('session_required')
    const method = bySso ? 'saml' : 'switch'
    return createSession(ctx, tx, { id: ctx.actor.user_id }, method, { wanted: account, inherited })
  })
}
