import { createHash } from 'node:crypto'
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose'
import type { Grant } from '../authorization-codes.ts'
import type { Identity } from '../identity.ts'
import { otherClient } from '../providers.ts'
import { personClaims } from './user-claims.ts'

const life = 600

/** Real time instead of the sandbox's clock: the product compares these claims with its own clock. */
const seconds = () => Math.floor(Date.now() / 1000)

const halfHash = (token: string) =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')

function claimsOf(issuer: string, grant: Grant, accessToken: string): Record<string, unknown> {
  const now = seconds()
  const { fault } = grant
  const claims: Record<string, unknown> = {
    iss: issuer,
    aud: grant.client_id,
    iat: now,
    exp: now + life,
    auth_time: now,
    at_hash: halfHash(accessToken),
    ...(grant.nonce !== null && { nonce: grant.nonce }),
    ...personClaims(grant.person, grant.scope, fault),
  }
  if (fault === 'wrong_nonce') claims.nonce = `${grant.nonce ?? ''}x`
  if (fault === 'missing_nonce') delete claims.nonce
  if (fault === 'wrong_aud') claims.aud = 'somebody-else'
  if (fault === 'other_client')
    Object.assign(claims, { aud: otherClient.client_id, azp: otherClient.client_id })
  if (fault === 'wrong_iss') claims.iss = `${issuer}-other`
  if (fault === 'expired') Object.assign(claims, { iat: now - 2 * life, exp: now - life })
  if (fault === 'issued_in_future') Object.assign(claims, { iat: now + life, exp: now + 2 * life })
  if (fault === 'not_yet_valid') Object.assign(claims, { nbf: now + life, exp: now + 2 * life })
  if (fault === 'wrong_azp') claims.azp = otherClient.client_id
  if (fault === 'several_audiences') claims.aud = [grant.client_id, otherClient.client_id]
  if (fault === 'missing_sub') delete claims.sub
  return claims
}

/** The signed ID token, altered by the grant's fault if there is one. */
export async function idToken(identity: Identity, issuer: string, grant: Grant, accessToken: string) {
  const claims = claimsOf(issuer, grant, accessToken)
  const own = await identity.key('oidc')
  const { fault } = grant
  const sign = (header: object, key: Parameters<SignJWT['sign']>[0], alg = 'RS256') =>
    new SignJWT(claims).setProtectedHeader({ typ: 'JWT', kid: own.name, ...header, alg }).sign(key)

  if (fault === 'alg_none') return new UnsecuredJWT(claims).encode()
  // Attack: a verifier that trusts the header's algorithm uses the public key as a shared secret.
  if (fault === 'hs256_public_key')
    return sign(
      {},
      new TextEncoder().encode(String(own.publicKey.export({ type: 'spki', format: 'pem' }))),
      'HS256',
    )
  if (fault === 'bad_signature') {
    const [header, body, signature = ''] = (await sign({}, own.privateKey)).split('.')
    return `${header}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  }
  if (fault === 'unknown_key' || fault === 'jwk_header' || fault === 'jku_header') {
    const foreign = await identity.key('foreign')
    const jwk = await exportJWK(foreign.publicKey)
    const header = { jwk_header: { jwk }, jku_header: { jku: `${issuer}/foreign-jwks` }, unknown_key: {} }[
      fault
    ]
    return sign({ kid: foreign.name, ...header }, foreign.privateKey)
  }
  return sign({}, own.privateKey)
}
