import type { ProofCredential, ProofRequestOptions } from '@plinth/contract'
import type { AuthedContext } from '../../../context.ts'
import { refreshCurrentSession } from '../../../identity/current-session.ts'
import { isVouchedFor } from '../../../identity/step-up.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as ceremony from './ceremony.ts'
import { countUse } from './count-use.ts'
import * as store from './store.ts'
import { verifyShown } from './verify.ts'

/** What the browser signs to prove who sits there. It is bound to this session and names its user's own passkeys. */
export async function beginProof(ctx: AuthedContext): Promise<ProofRequestOptions> {
  const { user_id, session_id } = ctx.actor
  // Every change by whom a connection vouches for takes a proof in its own call, which a passkey can't be.
  if (isVouchedFor(ctx.actor)) throw new Refusal('proof_required', { text: 'auth.proof_sign_in' })
  return ctx.asSystem('begin a proof by passkey', async tx => {
    const own = await store.listPasskeys(tx, user_id)
    if (!own.length) throw new Refusal('passkey_unknown')
    return {
      rpId: ceremony.relyingParty(ctx).id,
      challenge: await ceremony.begin(ctx, tx, { purpose: 'prove', user_id, session_id }),
      timeout: ceremony.timeout,
      userVerification: 'required',
      allowCredentials: own.map(ceremony.described),
    }
  })
}

/** Makes the session as good as just signed in, as the password would (V7.5.1). It opens nothing by itself. */
export async function prove(ctx: AuthedContext, { credential }: { credential: ProofCredential }) {
  const { user_id, session_id } = ctx.actor
  const { clientDataJSON } = credential.response
  const challenge = await ceremony.end(ctx, clientDataJSON, { purpose: 'prove', user_id, session_id })
  const found = await ctx.asSystem('find a passkey', tx =>
    store.findCredential(tx, Buffer.from(credential.id, 'base64url')),
  )
  // Somebody else's is none of theirs: it proves who sits there, and that is not this user.
  if (found?.user_id !== user_id) throw new Refusal('passkey_unknown')
  const use = await verifyShown(ctx, credential, { challenge, public_key: found.public_key })
  const wrong = await ctx.asSystem('prove by passkey', async tx => {
    const refused = await countUse(ctx, tx, found, use)
    if (!refused) await refreshCurrentSession(ctx, tx)
    return refused
  })
  if (wrong) throw wrong
  return {}
}
