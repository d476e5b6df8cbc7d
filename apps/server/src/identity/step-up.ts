import type { Actor, AuthedContext } from '../context.ts'
import { passwordFits } from '../lib/passwords.ts'
import { Refusal } from '../lib/refusal.ts'
import { refreshCurrentSession } from './current-session.ts'
import { hasTwoFactor, tryCode } from './try-code.ts'
import { findPasswordHash, hasPasskeys } from './user-store.ts'

type Proof = { password?: string; code?: string }

/** How long after a sign-in or a step-up a sensitive change needs no other one. */
const freshMinutes = 10

/**
 * Requires a step-up before a sensitive change (email, password, second factor, keys, SSO, closing): a sign-in within
 * ten minutes, or password or code in the same call, which makes the session fresh again.
 *
 * Refuses `proof_required` at the field that the dialog shows: the password, the code for a user without a password, or
 * no field for a user without both. `passkey` says that a passkey works too: it makes the session fresh, and the browser
 * repeats the call. Do not call it in a transaction: it hashes.
 */
export async function demandProof(ctx: AuthedContext, proof: Proof = {}) {
  const { actor } = ctx
  const now = ctx.now()
  const fresh = now.getTime() - actor.authenticated_at.getTime() < freshMinutes * 60_000
  if (fresh && !isVouchedFor(actor)) return
  if (proof.password === undefined && proof.code === undefined) throw await proofRequired(ctx)
  await ctx.consume('step_up:user', actor.user_id)
  if (proof.password !== undefined) await checkPassword(ctx, proof.password)
  else if (proof.code !== undefined) await checkCode(ctx, proof.code)
  await ctx.asSystem('step-up', tx => refreshCurrentSession(ctx, tx))
}

/**
 * Whether the session relies on the SSO connection of one of several accounts. Its administrator could sign in as the
 * user, so changes that reach the other accounts need the user's own password or code.
 */
export const isVouchedFor = ({ method, accounts }: Pick<Actor, 'method' | 'accounts'>) =>
  method === 'saml' && accounts.length > 1

async function proofRequired({ actor, asSystem }: AuthedContext): Promise<Refusal> {
  const has = await asSystem('step-up', async tx => ({
    code: await hasTwoFactor(tx, actor.user_id),
    passkey: !isVouchedFor(actor) && (await hasPasskeys(tx, actor.user_id)),
  }))
  const { passkey } = has
  if (actor.has_password) return new Refusal('proof_required', { field: 'password', passkey })
  if (has.code) return new Refusal('proof_required', { field: 'code', text: 'auth.proof_code', passkey })
  if (passkey) return new Refusal('proof_required', { text: 'auth.proof_passkey', passkey })
  return new Refusal('proof_required', { text: 'auth.proof_sign_in' })
}

async function checkPassword({ actor, asSystem }: AuthedContext, password: string) {
  const hash = await asSystem('step-up', tx => findPasswordHash(tx, actor.user_id))
  if (!(await passwordFits(hash, password))) throw new Refusal('password_wrong', { field: 'password' })
}

async function checkCode(ctx: AuthedContext, code: string) {
  // Refuse after the transaction: it must commit the counted failure.
  const tried = await ctx.asSystem('step-up', tx => tryCode(ctx, tx, ctx.actor, code))
  if (tried === 'wrong') throw new Refusal('code_wrong', { field: 'code' })
}
