import type { CreationOptions, ProofRequestOptions, RequestOptions } from '@plinth/contract'

/**
 * Converts between WebAuthn objects and JSON. The browser's own JSON functions are not used: older Safari
 * versions lack them, and they fail on credentials created by some password managers.
 *
 * Loaded on demand, so that it is not part of the first page.
 */

export const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))

export const text = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The browser's credential; null when the user closed the prompt, let it time out or left. */
export async function answered<R extends AuthenticatorResponse>(asked: Promise<Credential | null>) {
  try {
    return (await asked) as (PublicKeyCredential & { response: R }) | null // as: only public key credentials are requested
  } catch (error) {
    const given = error instanceof DOMException ? error.name : ''
    if (['NotAllowedError', 'AbortError', 'TimeoutError'].includes(given)) return null
    throw error
  }
}

export const named = ({ id, rawId }: PublicKeyCredential) => ({
  id,
  rawId: text(rawId),
  type: 'public-key' as const,
})

type Described = CreationOptions['excludeCredentials'][number]
export const known = (one: Described): PublicKeyCredentialDescriptor => ({
  ...one,
  id: bytes(one.id),
  transports: one.transports as AuthenticatorTransport[], // as: transports that a browser reported
})

/** Asks the browser for a passkey: one of those listed in the options, or any that belongs to this site. */
export async function showPasskey(
  options: RequestOptions | ProofRequestOptions,
  how: CredentialRequestOptions = {},
) {
  const { challenge, ...more } = options
  const publicKey: PublicKeyCredentialRequestOptions = {
    ...more,
    challenge: bytes(challenge),
    allowCredentials: 'allowCredentials' in options ? options.allowCredentials.map(known) : [],
  }
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
