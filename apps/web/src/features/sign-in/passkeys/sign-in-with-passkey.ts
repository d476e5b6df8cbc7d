import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { showPasskey } from '../../../lib/passkeys/ceremony.ts'
import { completeSignIn } from '../../../lib/session/complete-sign-in.ts'

// Loaded on demand, to keep the first page small.

/** Signs in with a passkey. Does nothing when the user closes the browser's dialog. */
export async function signInWithPasskey(): Promise<void> {
  const { data } = await api.passkeys.beginSignIn({ body: {} })
  const answer = await showPasskey(data)
  if (answer) await signInWith(answer, data.rpId)
}

/**
 * Offers the passkeys of this device as autofill in the email field, until `signal` aborts. Requests a new
 * challenge before the old one expires, when the page is visible.
 */
export async function offerPasskeys(signal: AbortSignal): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  let timeout = AbortSignal.abort()
  // Repeats only after a timeout: a browser that refuses at once must not be asked in a loop.
  while (timeout.aborted && !signal.aborted) {
    await whenVisible(signal)
    const { data } = await api.passkeys.beginSignIn({ body: {}, signal })
    timeout = AbortSignal.timeout(data.timeout * 0.8)
    const answer = await showPasskey(data, {
      mediation: 'conditional',
      signal: AbortSignal.any([signal, timeout]),
    })
    if (answer) await signInWith(answer, data.rpId).catch(handleFailure)
  }
}

/** Resolves when the page is visible; never if the signal aborts first. */
const whenVisible = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (!document.hidden) return resolve()
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
  })

type PasskeyAnswer = NonNullable<Awaited<ReturnType<typeof showPasskey>>>

async function signInWith(credential: PasskeyAnswer, rpId: string): Promise<void> {
  try {
    const { data } = await api.passkeys.signIn({ body: { credential } })
    await completeSignIn(data)
  } catch (error) {
    // Tells the browser to stop offering a passkey that was removed here.
    if (error instanceof ApiError && error.code === 'passkey_unknown')
      void PublicKeyCredential.signalUnknownCredential?.({ rpId, credentialId: credential.id })
    throw error
  }
}
