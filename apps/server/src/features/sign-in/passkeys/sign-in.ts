import type { RequestOptions, SignInCredential, SignInReply } from '@plinth/contract'
import type { Context } from '../../../context.ts'
import { createSession } from '../../../identity/create-session.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as ceremony from './ceremony.ts'
import { countPasskeyUse } from './count-use.ts'
import * as store from './store.ts'
import { verifyProof } from './verify.ts'

/** The same for all callers: the browser finds the passkeys. */
export async function startPasskeySignIn(ctx: Context): Promise<RequestOptions> {
  const challenge = await ctx.asSystem('start a passkey sign-in', tx =>
    ceremony.startCeremony(ctx, tx, { purpose: 'sign_in', user_id: null, session_id: null }),
  )
  return {
    rpId: ceremony.relyingParty(ctx).id,
    challenge,
    timeout: ceremony.ceremonyMs,
    userVerification: 'required',
  }
}

export async function signInWithPasskey(
  ctx: Context,
  { credential }: { credential: SignInCredential },
): Promise<SignInReply> {
  const { clientDataJSON, userHandle } = credential.response
  const challenge = await ceremony.finishCeremony(ctx, clientDataJSON, {
    purpose: 'sign_in',
    user_id: null,
    session_id: null,
  })
  const found = await ctx.asSystem('find a passkey', tx =>
    store.findCredential(tx, Buffer.from(credential.id, 'base64url')),
  )
  if (!found) throw new Refusal('passkey_unknown')
  if (found.handle.toString('base64url') !== userHandle) throw new Refusal('passkey_refused')
  const use = await verifyProof(ctx, credential, { challenge, public_key: found.public_key })
  const answer = await ctx.asSystem('sign in with a passkey', async tx => {
    const refused = await countPasskeyUse(ctx, tx, found, use)
    return refused ?? createSession(ctx, tx, { id: found.user_id }, 'passkey')
  })
  if (answer instanceof Refusal) throw answer
  return answer
}
