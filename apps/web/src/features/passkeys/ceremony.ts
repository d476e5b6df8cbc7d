import type { CreationOptions, RequestOptions } from '@plinth/contract'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { handleFailure } from '../../lib/api/failure.ts'
import { enter } from '../../lib/session/enter.ts'

/**
 * What passes between the browser's passkeys and the server. The browser's own reader and writer of JSON are not used:
 * older Safaris have neither, and password managers put credentials in their place that can't be written by them.
 *
 * Loaded when it is needed: no part of the first page.
 */

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))

const text = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The browser's answer; null when the visitor closed its question, let it run out, or went another way. */
async function answered<R extends AuthenticatorResponse>(asked: Promise<Credential | null>) {
  try {
    return (await asked) as (PublicKeyCredential & { response: R }) | null // as: nothing else was asked for
  } catch (error) {
    const given = error instanceof DOMException ? error.name : ''
    if (['NotAllowedError', 'AbortError', 'TimeoutError'].includes(given)) return null
    throw error
  }
}

const named = ({ id, rawId }: PublicKeyCredential) => ({
  id,
  rawId: text(rawId),
  type: 'public-key' as const,
})

/** Asks the browser to make a passkey. */
export async function makePasskey(options: CreationOptions) {
  const { challenge, user, excludeCredentials, ...more } = options
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...more,
    challenge: bytes(challenge),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: excludeCredentials.map(one => ({
      ...one,
      id: bytes(one.id),
      transports: one.transports as AuthenticatorTransport[], // as: names that a browser gave before
    })),
  }
  const made = await answered<AuthenticatorAttestationResponse>(navigator.credentials.create({ publicKey }))
  if (!made) return null
  const { response } = made
  return {
    ...named(made),
    response: {
      clientDataJSON: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}

async function showPasskey({ challenge, ...more }: RequestOptions, how: CredentialRequestOptions = {}) {
  const publicKey: PublicKeyCredentialRequestOptions = { ...more, challenge: bytes(challenge) }
  const shown = await answered<AuthenticatorAssertionResponse>(
    navigator.credentials.get({ ...how, publicKey }),
  )
  if (!shown) return null
  const { response } = shown
  return {
    ...named(shown),
    response: {
      clientDataJSON: text(response.clientDataJSON),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: text(response.userHandle ?? new ArrayBuffer()),
    },
  }
}

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
    await enter(data)
  } catch (error) {
    // So that the device no longer offers what was removed here.
    if (error instanceof ApiError && error.code === 'passkey_unknown')
      void PublicKeyCredential.signalUnknownCredential?.({ rpId, credentialId: credential.id })
    throw error
  }
}
