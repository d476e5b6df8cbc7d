import type { CreationOptions, ProofRequestOptions, RequestOptions } from '@plinth/contract'

/**
 * What passes between the browser's passkeys and the server. The browser's own reader and writer of JSON are not used:
 * older Safaris have neither, and password managers put credentials in their place that can't be written by them.
 *
 * Loaded when it is needed: no part of the first page.
 */

export const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))

export const text = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The browser's answer; null when the visitor closed its question, let it run out, or went another way. */
export async function answered<R extends AuthenticatorResponse>(asked: Promise<Credential | null>) {
  try {
    return (await asked) as (PublicKeyCredential & { response: R }) | null // as: nothing else was asked for
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
  transports: one.transports as AuthenticatorTransport[], // as: names that a browser gave before
})

/** Asks the browser to show one: of those that are named, or any that it has for us. */
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
