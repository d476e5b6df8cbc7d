import type { SignedIn as Opened, RequestOptions, ShownCredential } from '@plinth/contract'
import type { Context } from '../../context.ts'
import { must } from '../../lib/must.ts'
import { Refusal } from '../../lib/refusal.ts'
import { personOf, shareUser } from '../auth/guards.ts'
import { createSession } from '../auth/sessions.ts'
import * as ceremony from './ceremony.ts'
import { tell } from './notices.ts'
import * as store from './store.ts'
import { verifyShown } from './verify.ts'

/** The same for everybody: it is the browser that knows whose passkeys it has. */
export async function beginSignIn(ctx: Context): Promise<RequestOptions> {
  const challenge = await ctx.asSystem('begin a sign-in with a passkey', tx =>
    ceremony.begin(ctx, tx, { purpose: 'sign_in', user_id: null }),
  )
  return {
    rpId: ceremony.relyingParty(ctx).id,
    challenge,
    timeout: ceremony.timeout,
    userVerification: 'required',
  }
}

/** Signs in whoever holds the key. */
export async function signIn(ctx: Context, { credential }: { credential: ShownCredential }): Promise<Opened> {
  const { clientDataJSON, userHandle } = credential.response
  const challenge = await ceremony.end(ctx, clientDataJSON, { purpose: 'sign_in', user_id: null })
  const found = await ctx.asSystem('find a passkey', tx =>
    store.findCredential(tx, Buffer.from(credential.id, 'base64url')),
  )
  if (!found) throw new Refusal('passkey_unknown')
  if (found.handle.toString('base64url') !== userHandle) throw new Refusal('passkey_refused')
  const use = await verifyShown(ctx, credential, { challenge, public_key: found.public_key })
  const answer = await ctx.asSystem('sign in with a passkey', async tx => {
    await shareUser(tx, found.user_id)
    if (await store.countUse(tx, found.id, { ...use, now: ctx.now() }))
      return createSession(ctx, tx, { id: found.user_id }, 'passkey')
    if (!(await store.hasPasskey(tx, found.id))) return new Refusal('passkey_unknown')
    const user = must(await personOf(tx, found.user_id), `user ${found.user_id}`)
    await tell(ctx, tx, user, 'copied', found)
    // Returned and not thrown: what was told has to stay.
    return new Refusal('passkey_refused')
  })
  if (answer instanceof Refusal) throw answer
  return answer
}
