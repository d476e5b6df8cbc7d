import * as oidc from 'openid-client'
import type { RunningSandbox } from './sandbox.ts'

export const redirectUri = 'http://localhost:5000/api/auth/social/callback'

/** An OpenID Connect client with the library that the product uses. */
export async function relyingParty(sandbox: RunningSandbox, provider = 'google', client = provider) {
  const config = await oidc.discovery(
    new URL(`${sandbox.origin}/identity/oidc/${provider}`),
    `sandbox-${client}`,
    `sandbox-${client}-secret`,
    undefined,
    { execute: [oidc.allowInsecureRequests] },
  )
  // By default the library trusts tokens of the code flow because of TLS; here it checks signatures too.
  oidc.enableNonRepudiationChecks(config)
  return config
}

export interface Started {
  url: URL
  checks: { pkceCodeVerifier: string; expectedState: string; expectedNonce: string }
}

export async function startSignIn(
  config: oidc.Configuration,
  more: Record<string, string> = {},
): Promise<Started> {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const expectedState = oidc.randomState()
  const expectedNonce = oidc.randomNonce()
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...more,
  })
  return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce } }
}

/** Submits the choice on the sign-in page and returns the redirect. */
export async function consent(url: URL, answer: Record<string, unknown>): Promise<URL> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  })
  const location = response.headers.get('location')
  if (response.status !== 303 || !location) throw new Error(`${response.status}: ${await response.text()}`)
  return new URL(location)
}

export async function signIn(config: oidc.Configuration, answer: Record<string, unknown>) {
  const { url, checks } = await startSignIn(config)
  return oidc.authorizationCodeGrant(config, await consent(url, answer), checks)
}
