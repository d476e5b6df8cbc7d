import { type Client, getFromGitHub, openClients } from './client.ts'
import { IdentityError } from './error.ts'
import { checkClaims, checkSignature } from './id-token.ts'
import { isRecord, type Profile, profileOf, profileOfGitHub } from './profile.ts'
import type { Provider } from './providers.ts'

export { IdentityError } from './error.ts'
export type { Profile } from './profile.ts'
export type { Provider } from './providers.ts'

/** Random secrets of one sign-in, known only to the browser that started it and the server. */
export type FlowSecrets = { state: string; verifier: string; nonce: string }

export type IdentityProviders = {
  providers: readonly Provider[]
  /** Starts a sign-in: the URL for the browser, and the secrets that `finish` checks. */
  begin(provider: Provider, redirectUri: string): Promise<{ url: string; secrets: FlowSecrets }>
  /**
   * Verifies the answer and returns the profile. The provider's tokens are not stored.
   * @param answer the redirect URI with the received query
   * @throws IdentityError
   */
  finish(provider: Provider, answer: URL, secrets: FlowSecrets): Promise<Profile>
}

/** @param guard called first; throws inside an open transaction, where no network call is allowed */
export function openIdentityProviders(providers: readonly Provider[], guard: () => void): IdentityProviders {
  const clientOf = openClients()

  async function begin(provider: Provider, redirectUri: string) {
    guard()
    // Loaded at the first use, to keep the start of the server fast.
    const oidc = await import('openid-client')
    const { config } = await clientOf(provider).catch(throwIdentityError)
    const secrets = {
      state: oidc.randomState(),
      verifier: oidc.randomPKCECodeVerifier(),
      nonce: oidc.randomNonce(),
    }
    const { href } = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: provider.github ? 'user:email' : 'openid email profile',
      state: secrets.state,
      code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      ...(provider.github ? {} : { nonce: secrets.nonce }),
    })
    return { url: href, secrets }
  }

  async function finish(provider: Provider, answer: URL, secrets: FlowSecrets) {
    guard()
    const client = await clientOf(provider).catch(throwIdentityError)
    if (answer.searchParams.get('error') === 'access_denied') throw new IdentityError('denied')
    const read = provider.github ? readGitHub : readOpenId
    return read(client, provider, answer, secrets).catch(throwIdentityError)
  }

  return { providers, begin, finish }
}

const throwIdentityError = (error: unknown): never => {
  throw error instanceof IdentityError ? error : new IdentityError('failed', error)
}

async function readOpenId({ config, keys }: Client, provider: Provider, answer: URL, secrets: FlowSecrets) {
  const oidc = await import('openid-client')
  const tokens = await oidc.authorizationCodeGrant(config, answer, {
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    pkceCodeVerifier: secrets.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims || !tokens.id_token || !keys) throw new Error('No claims')
  const algorithms = config.serverMetadata().id_token_signing_alg_values_supported ?? []
  await checkSignature(tokens.id_token, keys, algorithms)
  checkClaims(claims, provider.clientId)
  const { iss, sub } = claims
  const own = profileOf(provider.id, iss, sub, claims)
  const complete = own.email !== null && own.first_name !== ''
  if (complete || provider.id !== 'oidc' || !config.serverMetadata().userinfo_endpoint) return own
  // Many issuers put the subject in the token and the rest in userinfo. Take email and email_verified from one source.
  const more = profileOf(provider.id, iss, sub, await oidc.fetchUserInfo(config, tokens.access_token, sub))
  const { email, email_verified } = own.email ? own : more
  const { first_name, last_name } = own.first_name ? own : more
  return { ...own, email, email_verified, first_name, last_name }
}

async function readGitHub({ config }: Client, provider: Provider, answer: URL, secrets: FlowSecrets) {
  const oidc = await import('openid-client')
  const { access_token } = await oidc.authorizationCodeGrant(config, answer, {
    expectedState: secrets.state,
    pkceCodeVerifier: secrets.verifier,
  })
  const [user, emails] = await Promise.all([
    getFromGitHub(provider, '/user', access_token),
    getFromGitHub(provider, '/user/emails', access_token),
  ])
  if (!isRecord(user)) throw new Error('No user')
  return profileOfGitHub(provider.issuer, user, emails)
}
