import type { Actor, AuthedContext, Tx } from '../../context.ts'
import { passwordFits } from '../../lib/passwords.ts'
import { Refusal } from '../../lib/refusal.ts'
import { hasTwoFactor, tryCode } from '../two-factor/tries.ts'
import * as store from './store.ts'

type Proof = { password?: string; code?: string }

/** How long after a sign-in, or after the last proof, what guards the account may be changed without another one. */
const freshMinutes = 10

/**
 * Before a change of what guards the account (email, password, second factor, keys, SSO, closing): the sign-in is
 * younger than ten minutes, or the person proves themselves in the same call (security.md, V7.5.1). A right proof
 * makes the session fresh again.
 *
 * Refuses `proof_required` at the field that the dialog is to show: the password, for somebody without one the code, and
 * for somebody with neither none at all. Where a passkey would do as well it says so: shown before, it makes the session
 * fresh, and the call is repeated. Not to be called in a transaction: it hashes.
 */
export async function demandProof(ctx: AuthedContext, proof: Proof = {}) {
  const { actor } = ctx
  const now = ctx.now()
  const fresh = now.getTime() - actor.authenticated_at.getTime() < freshMinutes * 60_000
  if (fresh && !isVouchedFor(actor)) return
  if (proof.password === undefined && proof.code === undefined) throw await whatToAsk(ctx)
  await ctx.consume('step_up:user', actor.user_id)
  if (proof.password !== undefined) await checkPassword(ctx, proof.password)
  else if (proof.code !== undefined) await checkCode(ctx, proof.code)
  await ctx.asSystem('step-up', tx => freshenSession(ctx, tx))
}

/**
 * A connection vouches for people in its own account. What concerns somebody's other accounts takes a proof of their
 * own, or the one who runs that connection could make themselves a way into those (T-53).
 */
export const isVouchedFor = ({ method, accounts }: Pick<Actor, 'method' | 'accounts'>) =>
  method === 'saml' && accounts.length > 1

/** Shown to be at the keyboard: the session counts as just signed in. */
export const freshenSession = ({ actor, now }: AuthedContext, tx: Tx) =>
  store.freshen(tx, actor.session_id, now())

async function whatToAsk({ actor, asSystem }: AuthedContext): Promise<Refusal> {
  const has = await asSystem('step-up', async tx => ({
    code: await hasTwoFactor(tx, actor.user_id),
    passkey: !isVouchedFor(actor) && (await store.hasPasskeys(tx, actor.user_id)),
  }))
  const { passkey } = has
  if (actor.has_password) return new Refusal('proof_required', { field: 'password', passkey })
  if (has.code) return new Refusal('proof_required', { field: 'code', text: 'auth.proof_code', passkey })
  if (passkey) return new Refusal('proof_required', { text: 'auth.proof_passkey', passkey })
  return new Refusal('proof_required', { text: 'auth.proof_sign_in' })
}

async function checkPassword({ actor, asSystem }: AuthedContext, password: string) {
  const hash = await asSystem('step-up', tx => store.findPasswordHash(tx, actor.user_id))
  if (!(await passwordFits(hash, password))) throw new Refusal('password_wrong', { field: 'password' })
}

async function checkCode(ctx: AuthedContext, code: string) {
  // The failure is thrown after the transaction that counts it.
  const tried = await ctx.asSystem('step-up', tx => tryCode(ctx, tx, ctx.actor, code))
  if (tried === 'wrong') throw new Refusal('code_wrong', { field: 'code' })
}
