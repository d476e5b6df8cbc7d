import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { isLoopback } from '../../lib/loopback.ts'
import { fetchCapped } from './fetch.ts'
import { fetchProviderKeys, type ProviderKeys } from './id-token.ts'
import { isRecord } from './profile.ts'
import type { Provider } from './providers.ts'

/** Timeout of one request to a provider. */
const seconds = 8
/** Lifetime of a cached discovery document. */
const discoveryMs = 3_600_000

/** Accepted signature algorithms: public-key only, no HMAC and no `none`. */
const allowedAlgorithms = new Set(
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' '),
)

/** `keys` is null for GitHub, which signs nothing. */
export type Client = { config: Configuration; keys: ProviderKeys | null }
type CachedClient = { client: Promise<Client>; until: number }

/**
 * Caches one openid-client configuration for each provider for an hour. A failed discovery is not cached.
 */
export function openClients() {
  const clients = new Map<string, CachedClient>()
  return (provider: Provider): Promise<Client> => {
    const found = clients.get(provider.id)
    if (found && found.until > Date.now()) return found.client
    const client = (provider.github ? githubClient : discoverClient)(provider)
    clients.set(provider.id, { client, until: Date.now() + discoveryMs })
    client.catch(() => clients.delete(provider.id))
    return client
  }
}

async function discoverClient(provider: Provider): Promise<Client> {
  const oidc = await import('openid-client')
  const { issuer, clientId, clientSecret } = provider
  const config = await oidc.discovery(
    new URL(issuer),
    clientId,
    clientSecret,
    authenticateWith(clientSecret),
    {
      execute: onLoopback(issuer) ? [oidc.allowInsecureRequests] : [],
      timeout: seconds,
      [oidc.customFetch]: fetchWithoutWeakAlgorithms,
    },
  )
  config.timeout = seconds
  const { jwks_uri } = checkedEndpoints(config.serverMetadata(), issuer)
  return { config, keys: await fetchProviderKeys(jwks_uri, seconds * 1000) }
}

/**
 * Sends the secret in the body when discovery lists that method. Otherwise uses the Authorization header, which every
 * server must accept (RFC 6749, 2.3.1) but some decode wrongly.
 */
const authenticateWith =
  (secret: string): ClientAuth =>
  ({ token_endpoint_auth_methods_supported: methods }, { client_id }, body, headers) => {
    if (methods?.includes('client_secret_post')) {
      body.set('client_id', client_id)
      body.set('client_secret', secret)
    } else {
      const pair = `${formEncoded(client_id)}:${formEncoded(secret)}`
      headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
    }
  }

const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)

/** All endpoints must use TLS. */
function checkedEndpoints(metadata: ServerMetadata, issuer: string): { jwks_uri: string } {
  const { authorization_endpoint, token_endpoint, userinfo_endpoint = issuer, jwks_uri = '' } = metadata
  const endpoints = { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri }
  for (const [name, address] of Object.entries(endpoints)) {
    const url = address && URL.canParse(address) ? new URL(address) : null
    const safe = url?.protocol === 'https:' || (url && onLoopback(issuer) && onLoopback(url.href))
    if (!safe) throw new Error(`Discovery of ${issuer} names no usable ${name}`)
  }
  return { jwks_uri }
}

async function githubClient(provider: Provider): Promise<Client> {
  const oidc = await import('openid-client')
  const { issuer, clientId, clientSecret, github } = provider
  const config = new oidc.Configuration(
    { issuer, authorization_endpoint: github?.authorize, token_endpoint: github?.token },
    clientId,
    clientSecret,
  )
  if (onLoopback(issuer)) oidc.allowInsecureRequests(config)
  config.timeout = seconds
  config[oidc.customFetch] = fetchCapped
  return { config, keys: null }
}

/** openid-client accepts every algorithm that discovery lists, so weak ones are removed from the document. */
const fetchWithoutWeakAlgorithms: CustomFetch = async (url, options) => {
  const response = await fetchCapped(url, options)
  if (!url.includes('/.well-known/') || !response.ok) return response
  const document: unknown = await response.json()
  return Response.json(isRecord(document) ? withoutWeakAlgorithms(document) : document, {
    status: response.status,
  })
}

export function withoutWeakAlgorithms(document: Readonly<Record<string, unknown>>) {
  const name = 'id_token_signing_alg_values_supported'
  const listed: unknown = document[name]
  const kept = new Set(Array.isArray(listed) ? listed.filter(one => allowedAlgorithms.has(one)) : [])
  // Two names of one algorithm (RFC 9864).
  if (kept.has('EdDSA') || kept.has('Ed25519')) kept.add('EdDSA').add('Ed25519')
  return { ...document, [name]: kept.size ? [...kept] : ['RS256'] }
}

/** HTTP without TLS is allowed for loopback only, where the sandbox runs. */
function onLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && isLoopback(hostname)
}

export async function getFromGitHub(provider: Provider, path: string, token: string): Promise<unknown> {
  const response = await fetchCapped(`${provider.github?.api}${path}`, {
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'Plinth',
      'x-github-api-version': '2022-11-28',
    },
    redirect: 'error',
    signal: AbortSignal.timeout(seconds * 1000),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}
