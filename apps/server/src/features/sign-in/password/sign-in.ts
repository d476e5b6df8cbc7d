import type { Context } from '../../../context.ts'
import { createPasswordSession } from '../../../identity/create-session.ts'
import { invariant } from '../../../lib/invariant.ts'
import { type VerifyPassword, withHashSlot } from '../../../lib/passwords.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { SignInCandidate } from '../../../rate-limit/login-throttle.ts'
import { warnOwner } from './warn-owner.ts'

/** Users of one address that a password is checked against. Every refusal costs this many hashes. */
const maxCandidates = 2

/** Refuses known and unknown addresses with the same reply after the same time. */
export const signInWithPassword = (ctx: Context, given: { email: string; password: string }) =>
  // When the queue is full the call is refused before any query.
  withHashSlot(fits => signInWith(ctx, fits, given))

async function signInWith(
  ctx: Context,
  fits: VerifyPassword,
  { email, password }: { email: string; password: string },
) {
  const attempt = await ctx.beginLoginAttempt(email, maxCandidates)
  const user = await findMatchingUser(fits, attempt.candidates, password).catch(async error => {
    await attempt.cancel()
    throw error
  })
  if (!user) {
    if (attempt.warnsOwner) await warnOwner(ctx, email)
    throw new Refusal('credentials_wrong', { field: 'password' })
  }
  const by = { verified: invariant(user.password_hash, 'the hash that fitted') }
  await attempt.succeed(user.id)
  return createPasswordSession(ctx, user, by)
}

/** Stops at a verified user whose password matches. Otherwise always computes the same number of hashes. */
async function findMatchingUser(
  fits: VerifyPassword,
  candidates: SignInCandidate[],
  password: string,
): Promise<SignInCandidate | null> {
  let found: SignInCandidate | null = null
  for (let n = 0; n < maxCandidates; n++) {
    const candidate = candidates[n]
    const right = await fits(candidate?.password_hash ?? null, password)
    if (candidate && right && !found) found = candidate
    if (found?.verified) break
  }
  return found
}
