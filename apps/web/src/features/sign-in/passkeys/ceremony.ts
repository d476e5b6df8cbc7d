import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { showPasskey } from '../../../lib/passkeys/ceremony.ts'
import { completeSignIn } from '../../../lib/session/complete-sign-in.ts'

/** Signing in with a passkey. Loaded when it is needed: no part of the first page. */

/** Asks for a passkey and signs in with it; nothing happens when the visitor closes the question. */
export async function signInWithPasskey(): Promise<void> {
  const { data } = await api.passkeys.beginSignIn({ body: {} })
  const shown = await showPasskey(data)
  if (shown) await enterWith(shown, data.rpId)
}

/**
 * Offers the passkeys of this device in the list of the email field, until `signal` ends it. Its challenge runs out;
 * before it does it is asked for again, as soon as somebody looks at the page.
 */
export async function offerPasskeys(signal: AbortSignal): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  let late = AbortSignal.abort()
  // Once more only when it ran out: a browser that refuses at once must not be asked for ever.
  while (late.aborted && !signal.aborted) {
    await looked(signal)
    const { data } = await api.passkeys.beginSignIn({ body: {}, signal })
    late = AbortSignal.timeout(data.timeout * 0.8)
    const shown = await showPasskey(data, {
      mediation: 'conditional',
      signal: AbortSignal.any([signal, late]),
    })
    if (shown) await enterWith(shown, data.rpId).catch(handleFailure)
  }
}

/** When the page is in front; never when the signal comes first. */
const looked = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (!document.hidden) return resolve()
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
  })

type Shown = NonNullable<Awaited<ReturnType<typeof showPasskey>>>

async function enterWith(credential: Shown, rpId: string): Promise<void> {
  try {
    const { data } = await api.passkeys.signIn({ body: { credential } })
    await completeSignIn(data)
  } catch (error) {
    // So that the device no longer offers what was removed here.
    if (error instanceof ApiError && error.code === 'passkey_unknown')
      void PublicKeyCredential.signalUnknownCredential?.({ rpId, credentialId: credential.id })
    throw error
  }
}
