import type { Configuration, CustomFetch } from 'openid-client'
import { isRecord } from './profile.ts'
import type { Provider } from './providers.ts'

/** How long one call of a provider may take. */
const seconds = 8
/** How long what discovery has said is believed. */
const discoveryMs = 3_600_000

/** Signatures that are believed: by key pairs, and none that a shared secret, or nothing, makes (V9.1.2). */
const strong = new Set([
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
])

type Known = { config: Promise<Configuration>; until: number }

/**
 * A client of the library for each provider, made at first use and again every hour. A failed discovery is tried anew
 * the next time.
 */
export function openClients() {
  const clients = new Map<string, Known>()
  return (provider: Provider): Promise<Configuration> => {
    const found = clients.get(provider.id)
    if (found && found.until > Date.now()) return found.config
    const config = (provider.github ? githubClient : discovered)(provider)
    clients.set(provider.id, { config, until: Date.now() + discoveryMs })
    config.catch(() => clients.delete(provider.id))
    return config
  }
}

async function discovered(provider: Provider): Promise<Configuration> {
  const oidc = await import('openid-client')
  const config = await oidc.discovery(
    new URL(provider.issuer),
    provider.clientId,
    provider.clientSecret,
    undefined,
    {
      execute: onLoopback(provider.issuer) ? [oidc.allowInsecureRequests] : [],
      timeout: seconds,
      [oidc.customFetch]: strongOnly,
    },
  )
  config.timeout = seconds
  // Otherwise a token of the code flow is believed for having come over TLS: here its signature is checked too.
  oidc.enableNonRepudiationChecks(config)
  return config
}

async function githubClient(provider: Provider): Promise<Configuration> {
  const oidc = await import('openid-client')
  const { issuer, clientId, clientSecret, github } = provider
  const config = new oidc.Configuration(
    { issuer, authorization_endpoint: github?.authorize, token_endpoint: github?.token },
    clientId,
    clientSecret,
  )
  if (onLoopback(issuer)) oidc.allowInsecureRequests(config)
  config.timeout = seconds
  return config
}

/** The library believes any algorithm that discovery lists: what is weak is struck off the list. */
const strongOnly: CustomFetch = async (url, options) => {
  const response = await fetch(url, options)
  if (!url.includes('/.well-known/') || !response.ok) return response
  const document: unknown = await response.json()
  return Response.json(isRecord(document) ? withoutWeak(document) : document, { status: response.status })
}

export function withoutWeak(document: Readonly<Record<string, unknown>>) {
  const name = 'id_token_signing_alg_values_supported'
  const listed: unknown = document[name]
  const kept = Array.isArray(listed) ? listed.filter(one => strong.has(one)) : []
  return { ...document, [name]: kept.length ? kept : ['RS256'] }
}

/** Only the machine itself is spoken to without TLS: the sandbox. */
function onLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** A GET of GitHub's API. */
export async function askGitHub(provider: Provider, path: string, token: string): Promise<unknown> {
  const response = await fetch(`${provider.github?.api}${path}`, {
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
