import type { Context } from '../../../context.ts'
import { createSession, parseSignInMethod } from '../../../identity/create-session.ts'
import { tryCode } from '../../../identity/try-code.ts'
import * as codes from '../../../identity/two-factor-codes.ts'
import { hashToken } from '../../../lib/crypto.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as store from './store.ts'

/**
 * The second step of a sign-in. The challenge counts the try first and is used in the transaction that creates the
 * session, so one of any number of parallel calls succeeds.
 */
export async function signInWithCode(ctx: Context, { code, jwt }: { code: string; jwt: string }) {
  const answer = await ctx.asSystem('second step', async tx => {
    const now = ctx.now()
    const challenge = await store.countCodeTry(tx, {
      token_hash: hashToken(jwt),
      now,
      most: codes.triesPerChallenge,
    })
    if (!challenge) return new Refusal('challenge_expired')
    const { id, user_id, account_id, tries } = challenge
    const tried = await tryCode(ctx, tx, challenge, code, { backup: true })
    const isApp = codes.isAppCode(codes.plainCode(code))
    // Returned instead of thrown, because the counted failure must be committed.
    if (tried === 'wrong' && tries < codes.triesPerChallenge)
      return new Refusal('code_wrong', { field: 'code', ...(!isApp && { text: 'two_factor.backup_wrong' }) })
    if (tried === 'wrong') return new Refusal('challenge_expired', { text: 'two_factor.challenge_spent' })
    if (tried === 'backup') ctx.setMessage('two_factor.backup_spent')
    await store.consumeChallenge(tx, id, now)
    return createSession(ctx, tx, { id: user_id }, parseSignInMethod(challenge.method), {
      wanted: account_id,
      secondFactor: true,
      until: challenge.session_until,
    })
  })
  if (answer instanceof Refusal) throw answer
  return answer
}
