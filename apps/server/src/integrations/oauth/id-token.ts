import type { createRemoteJWKSet } from 'jose'
import { fetchCapped } from './fetch.ts'

export type ProviderKeys = ReturnType<typeof createRemoteJWKSet>

/** Allowed clock difference; openid-client uses the same for `exp` and `nbf`. */
const toleranceSeconds = 30

/**
 * The provider's key set. An unknown key id triggers a new fetch, at most every five seconds, so that a key rotation
 * without overlap works at once.
 */
export async function fetchProviderKeys(url: string, timeoutDuration: number): Promise<ProviderKeys> {
  const { createRemoteJWKSet, customFetch } = await import('jose')
  return createRemoteJWKSet(new URL(url), {
    cacheMaxAge: 300_000,
    cooldownDuration: 5_000,
    timeoutDuration,
    [customFetch]: fetchCapped,
  })
}

/** Checks the signature too, although a token of the code flow arrives over TLS. */
export async function checkSignature(token: string, keys: ProviderKeys, algorithms: string[]): Promise<void> {
  const { compactVerify, errors } = await import('jose')
  try {
    await compactVerify(token, keys, { algorithms })
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    // The token has no key id and several keys match its algorithm: try each.
    for await (const key of error) {
      const fits = await compactVerify(token, key, { algorithms }).then(
        () => true,
        () => false,
      )
      if (fits) return
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** Checks that openid-client leaves to its caller (OpenID Connect Core, 3.1.3.7). */
export function checkClaims({ iat, azp }: { iat: number; azp?: unknown }, clientId: string): void {
  if (iat > Date.now() / 1000 + toleranceSeconds) throw new Error('The ID token was issued in the future')
  if (azp !== undefined && azp !== clientId) throw new Error('The ID token was issued to another client')
}
