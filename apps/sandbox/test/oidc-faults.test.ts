import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { describe, expect, test } from 'vitest'
import { bodyOf, sandboxForFile } from './support/sandbox.ts'
import { consent, relyingParty, signIn, startSignIn } from './support/sign-in.ts'

const sandbox = await sandboxForFile()
const google = await relyingParty(sandbox)

const withFault = (fault: string) => signIn(google, { person: 'lena', fault })

test.each([
  ['wrong_state', /state/],
  ['missing_state', /state/],
  ['wrong_response_iss', /iss/],
  ['missing_response_iss', /iss/],
  ['wrong_nonce', /nonce/],
  ['missing_nonce', /nonce/],
  ['wrong_aud', /aud/],
  ['other_client', /aud/],
  ['wrong_iss', /iss/],
  ['expired', /exp/],
  ['not_yet_valid', /nbf/],
  ['several_audiences', /aud/],
  ['missing_sub', /sub/],
  ['missing_id_token', /id_token/],
  ['alg_none', /alg/],
  ['hs256_public_key', /alg/],
  ['unknown_key', /key/],
  ['jwk_header', /key/],
  ['jku_header', /key/],
  ['bad_signature', /signature/],
] as const)('the client refuses %s', async (fault, reason) => {
  const error: unknown = await withFault(fault).catch((cause: unknown) => cause)
  const said = (cause: unknown): string =>
    cause instanceof Error
      ? `${cause.message} ${JSON.stringify(cause)} ${said(cause.cause)}`
      : JSON.stringify(cause)
  expect(error).toBeInstanceOf(Error)
  expect(said(error)).toMatch(reason)
})

/** The ID token without a client's checks. */
async function bentToken(fault: string) {
  const { url, checks } = await startSignIn(google)
  const back = await consent(url, { person: 'lena', fault })
  const answer = await fetch(`${sandbox.origin}/identity/oidc/google/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'sandbox-google',
      client_secret: 'sandbox-google-secret',
      redirect_uri: url.searchParams.get('redirect_uri') ?? '',
      code: back.searchParams.get('code') ?? '',
      code_verifier: checks.pkceCodeVerifier,
    }),
  })
  return (await bodyOf<{ id_token: string }>(answer)).id_token
}

describe('each fault changes only its own claim or key', () => {
  const keys = async (path: string) => createLocalJWKSet(await bodyOf(fetch(path)))
  const own = () => keys(`${sandbox.origin}/identity/oidc/google/jwks`)

  test('tokens with wrong claims are signed by the correct key', async () => {
    for (const fault of ['wrong_aud', 'wrong_iss', 'wrong_nonce', 'other_client'])
      await expect(jwtVerify(await bentToken(fault), await own())).resolves.toBeTruthy()
    expect(decodeJwt(await bentToken('other_client')).aud).toBe('sandbox-other')
  })

  test('a token from the future or for another client differs in this claim only', async () => {
    const early = await jwtVerify(await bentToken('issued_in_future'), await own())
    expect(early.payload.iat).toBeGreaterThan(Date.now() / 1000 + 500)
    expect(early.payload.nbf).toBeUndefined()
    const foreign = await jwtVerify(await bentToken('wrong_azp'), await own())
    expect(foreign.payload).toMatchObject({ aud: 'sandbox-google', azp: 'sandbox-other' })
  })

  test('tokens with a wrong key have a valid signature of that key', async () => {
    const token = await bentToken('jku_header')
    const header = decodeProtectedHeader(token)
    expect(header.jku).toBe(`${sandbox.origin}/identity/oidc/google/foreign-jwks`)
    await expect(jwtVerify(token, await keys(String(header.jku)))).resolves.toBeTruthy()
    expect(decodeProtectedHeader(await bentToken('jwk_header')).jwk).toMatchObject({ kty: 'RSA' })
    expect(decodeProtectedHeader(await bentToken('alg_none')).alg).toBe('none')
    expect(decodeProtectedHeader(await bentToken('hs256_public_key'))).toMatchObject({
      alg: 'HS256',
      kid: 'oidc',
    })
  })
})

test.each([
  ['email_verified_false', { email_verified: false }],
  ['email_verified_string', { email_verified: 'true' }],
  ['email_verified_missing', { email: 'lena@northquay.example' }],
  ['email_missing', { name: 'Lena Brandt' }],
] as const)('%s applies to the claims and to userinfo', async (fault, claims) => {
  const tokens = await withFault(fault)
  const info = await oidc.fetchUserInfo(google, tokens.access_token, '10003')
  for (const said of [tokens.claims(), info]) {
    expect(said).toMatchObject(claims)
    if (fault.endsWith('missing')) expect(said).not.toHaveProperty('email_verified')
    if (fault === 'email_missing') expect(said).not.toHaveProperty('email')
  }
})

test('userinfo of another subject, userinfo 500 and token 500', async () => {
  const swapped = await withFault('userinfo_other_sub')
  await expect(oidc.fetchUserInfo(google, swapped.access_token, '10003')).rejects.toThrow()
  const broken = await withFault('userinfo_500')
  await expect(oidc.fetchUserInfo(google, broken.access_token, '10003')).rejects.toThrow()
  await expect(withFault('token_500')).rejects.toThrow()
})

test('unknown faults are refused', async () => {
  const { url } = await startSignIn(google)
  for (const fault of ['bad_mood', 'primary_unverified'])
    await expect(consent(url, { person: 'lena', fault })).rejects.toThrow(/400/)
})
