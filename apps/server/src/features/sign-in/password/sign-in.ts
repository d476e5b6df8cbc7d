import type { Candidate, Context } from '../../../context.ts'
import { createSessionAlone } from '../../../identity/create-session.ts'
import { invariant } from '../../../lib/invariant.ts'
import { type VerifyPassword, withHashSlot } from '../../../lib/passwords.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { warnOwner } from './warn-owner.ts'

/** How many rows one address may try its password on; every refusal costs as many hashes (T-10). */
const mostCandidates = 2

/** Known and unknown addresses get the same reply in the same time. */
export const signInWithPassword = (ctx: Context, given: { email: string; password: string }) =>
  // Under load most calls are refused here, before they reach the database.
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
