import type { createRemoteJWKSet } from 'jose'
import { fetchCapped } from './fetch.ts'

export type ProviderKeys = ReturnType<typeof createRemoteJWKSet>

/** How far a provider's clock may be from ours; openid-client has the same for `exp` and `nbf`. */
const toleranceSeconds = 30

/**
 * The provider's keys. They are fetched again for a key that is not known yet, so that a rotation without overlap is
 * noticed at once, but not more often than every five seconds.
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

/** A token of the code flow came over TLS, but its signature is checked too. */
export async function checkSignature(token: string, keys: ProviderKeys, algorithms: string[]): Promise<void> {
  const { compactVerify, errors } = await import('jose')
  try {
    await compactVerify(token, keys, { algorithms })
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    // The token names no key, and several are of its kind: one of them has to fit.
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

/** What openid-client leaves to its caller (OpenID Connect Core, 3.1.3.7). */
export function checkClaims({ iat, azp }: { iat: number; azp?: unknown }, clientId: string): void {
  if (iat > Date.now() / 1000 + toleranceSeconds) throw new Error('The ID token was issued in the future')
  if (azp !== undefined && azp !== clientId) throw new Error('The ID token was issued to another client')
}
