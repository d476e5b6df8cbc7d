import type { Context, SignedIn } from '../../context.ts'
import { passwordFits } from '../../lib/passwords.ts'
import { Refusal } from '../../lib/refusal.ts'
import { toSessionUser } from './session-user.ts'
import { createSession } from './sessions.ts'
import * as store from './store.ts'

/** Who is signed in; a dead token is an answer, not an error. */
export async function check(ctx: Context) {
  const actor = await ctx.identify()
  return actor ? { ...toSessionUser(actor), authenticated: true } : { authenticated: false }
}

/** Known and unknown addresses are refused alike, in words and in time (T-10). */
export async function signIn(ctx: Context, { email, password }: { email: string; password: string }) {
  await ctx.spend('sign_in:address', email)
  const candidates = await ctx.asSystem('sign-in', tx => store.findCandidates(tx, email))
  const user = await whoFits(candidates, password)
  if (!user) throw new Refusal('credentials_wrong', { field: 'password' })
  return ctx.asSystem('sign-in', tx => createSession(ctx, tx, user, 'password'))
}

/**
 * A proven user whose password fits is let in at once. Every other outcome costs the same number of hashes, whatever
 * rows the address has: the time tells nothing about them.
 */
async function whoFits<T extends store.Candidate>(candidates: T[], password: string): Promise<T | null> {
  let found: T | null = null
  for (let n = 0; n < store.mostCandidates; n++) {
    const candidate = candidates[n]
    const fits = await passwordFits(candidate?.password_hash ?? null, password)
    if (candidate && fits && !found) found = candidate
    if (found?.verified_at) break
  }
  return found
}

export async function signOut(ctx: SignedIn) {
  await ctx.asSystem('sign-out', tx => store.removeSession(tx, ctx.actor.session_id))
  return {}
}

/** Opens another of the user's accounts under a new token; the old session ends. */
export async function switchAccount(ctx: SignedIn, { account }: { account: string }) {
  return ctx.asSystem('switch account', async tx => {
    if (!(await store.findMembership(tx, ctx.actor.user_id, account))) throw new Refusal('account_unknown')
    const inherited = await store.removeSession(tx, ctx.actor.session_id)
    if (!inherited) throw new Refusal('session_required')
    return createSession(ctx, tx, { id: ctx.actor.user_id }, 'switch', { wanted: account, inherited })
  })
}
