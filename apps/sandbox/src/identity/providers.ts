export interface Client {
  client_id: string
  client_secret: string
}

export interface Provider extends Client {
  id: 'github' | 'google' | 'microsoft' | 'oidc'
  title: string
}

const provider = (id: Provider['id'], title: string): Provider => ({
  id,
  title,
  client_id: `sandbox-${id}`,
  client_secret: `sandbox-${id}-secret`,
})

export const providers: readonly Provider[] = [
  provider('google', 'Google'),
  provider('microsoft', 'Microsoft'),
  provider('github', 'GitHub'),
  provider('oidc', 'OpenID Connect'),
]

export const findProvider = (id: string) => providers.find(one => one.id === id)

/** Another application at every provider. The product must refuse its codes and tokens. */
export const otherClient: Client = { client_id: 'sandbox-other', client_secret: 'sandbox-other-secret' }

export const findClient = (at: Provider, id: unknown): Client | undefined =>
  [at, otherClient].find(client => client.client_id === id)

/** Redirect URIs must be on this machine. */
export function isLoopback(address: unknown): address is string {
  if (typeof address !== 'string' || !URL.canParse(address) || address.includes('#')) return false
  const { protocol, hostname, username, password } = new URL(address)
  if (!/^https?:$/.test(protocol) || username || password) return false
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost')
}
