import type { ProofCredential, ProofRequestOptions } from '@plinth/contract'
import type { AuthedContext } from '../../../context.ts'
import { refreshCurrentSession } from '../../../identity/current-session.ts'
import { isVouchedFor } from '../../../identity/step-up.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as ceremony from './ceremony.ts'
import { countPasskeyUse } from './count-use.ts'
import * as store from './store.ts'
import { verifyProof } from './verify.ts'

/** Options of a step-up, bound to this session and limited to the user's own passkeys. */
export async function startPasskeyProof(ctx: AuthedContext): Promise<ProofRequestOptions> {
  const { user_id, session_id } = ctx.actor
  // An SSO session needs a proof in the call that makes the change, which a passkey can't give.
  if (isVouchedFor(ctx.actor)) throw new Refusal('proof_required', { text: 'auth.proof_sign_in' })
  return ctx.asSystem('start a passkey proof', async tx => {
    const own = await store.listPasskeys(tx, user_id)
    if (!own.length) throw new Refusal('passkey_unknown')
    return {
      rpId: ceremony.relyingParty(ctx).id,
      challenge: await ceremony.startCeremony(ctx, tx, { purpose: 'prove', user_id, session_id }),
      timeout: ceremony.ceremonyMs,
      userVerification: 'required',
      allowCredentials: own.map(ceremony.toDescriptor),
    }
  })
}

/** A step-up with a passkey: makes the session fresh and opens nothing else. */
export async function proveWithPasskey(ctx: AuthedContext, { credential }: { credential: ProofCredential }) {
  const { user_id, session_id } = ctx.actor
  const { clientDataJSON } = credential.response
  const challenge = await ceremony.finishCeremony(ctx, clientDataJSON, {
    purpose: 'prove',
    user_id,
    session_id,
  })
  const found = await ctx.asSystem('find a passkey', tx =>
    store.findCredential(tx, Buffer.from(credential.id, 'base64url')),
  )
  // A passkey of another user.
  if (found?.user_id !== user_id) throw new Refusal('passkey_unknown')
  const use = await verifyProof(ctx, credential, { challenge, public_key: found.public_key })
  const wrong = await ctx.asSystem('finish a passkey proof', async tx => {
    const refused = await countPasskeyUse(ctx, tx, found, use)
    if (!refused) await refreshCurrentSession(ctx, tx)
    return refused
  })
  if (wrong) throw wrong
  return {}
}
