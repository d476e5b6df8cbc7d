import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'
import { openIdentityProviders } from '../../src/integrations/oauth/identity-providers.ts'

type Key = { privateKey: CryptoKey; jwk: JWK; alg: string }

export async function makeKey(alg: string, jwk: JWK = {}): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  return { privateKey, alg, jwk: { ...(await exportJWK(publicKey)), use: 'sig', ...jwk } }
}

/** An answer of the issuer: a value is sent as JSON, a function is called for each request. */
type Answer = object | string | (() => object | string)

/** A local OpenID issuer with valid answers that a test can override. */
export async function startOpenidIssuer(
  given: { clientId?: string; clientSecret?: string; discovery?: object; key?: Key } = {},
) {
  const { clientId = 'client', clientSecret = 'secret' } = given
  const key = given.key ?? (await makeKey('RS256', { kid: 'first', alg: 'RS256' }))
  const asked: { path: string; authorization: string; body: URLSearchParams }[] = []
  const overrides = {
    keys: [key.jwk],
    sign: key,
    header: { kid: key.jwk.kid } as object,
    claims: {} as object,
  } // as: open for a test's own
  const answers = new Map<string, Answer>()
  let nonce = ''

  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const path = String(request.url)
    const authorization = String(request.headers.authorization ?? '')
    asked.push({ path, authorization, body: new URLSearchParams(Buffer.concat(chunks).toString()) })
    const ordered = answers.get(path) ?? (await proper(path))
    const answer = typeof ordered === 'function' ? ordered() : ordered
    const status = answer === 'down' ? 500 : 200
    reply.writeHead(status, { 'content-type': 'application/json' })
    reply.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // as: it listens on a port

  async function proper(path: string): Promise<Answer> {
    if (path === '/.well-known/openid-configuration')
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: [overrides.sign.alg],
        ...given.discovery,
      }
    if (path === '/jwks') return { keys: overrides.keys }
    if (path === '/token') return { access_token: 'access', token_type: 'Bearer', id_token: await idToken() }
    return { sub: 's-1', email: 'more@example.com', email_verified: true, name: 'From Userinfo' }
  }

  function idToken() {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: clientId, sub: 's-1', iat: now, exp: now + 600, nonce }
    const person = { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' }
    return new SignJWT({ ...claims, ...person, ...overrides.claims })
      .setProtectedHeader({ alg: overrides.sign.alg, ...overrides.header })
      .sign(overrides.sign.privateKey)
  }

  const provider = { id: 'oidc', name: 'Issuer', issuer, clientId, clientSecret, github: null } as const
  const identity = openIdentityProviders([provider], () => undefined)

  /** The whole way; answers the profile, or throws an IdentityError. */
  async function signIn() {
    const { url, secrets } = await identity.begin(provider, 'http://localhost/callback')
    nonce = new URL(url).searchParams.get('nonce') ?? ''
    const back = new URL(`http://localhost/callback?code=c&state=${secrets.state}`)
    return identity.finish(provider, back, secrets)
  }

  return {
    issuer,
    key,
    overrides,
    answers,
    signIn,
    /** Why a sign-in fails, as the log names it; empty when it does not. */
    signInFailure: () =>
      signIn().then(
        () => '',
        (error: Error) => `${(error.cause as Error).message} ${String((error.cause as Error).cause ?? '')}`, // as: what the log reads
      ),
    asked: (path: string) => asked.filter(one => one.path === path),
  }
}
