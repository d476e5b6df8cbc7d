/** Supported providers. The ids are stored with identities, so they must not change. */
export type ProviderId = 'google' | 'github' | 'microsoft' | 'oidc'

/** A provider as the configuration sets it up. */
export type Provider = {
  id: ProviderId
  /** Display name. */
  name: string
  /** OpenID Connect issuer. GitHub has none, so this is its fixed identifier. */
  issuer: string
  clientId: string
  clientSecret: string
  /** GitHub's own endpoints; null for OpenID Connect. */
  github: { authorize: string; token: string; api: string } | null
}

/** Production providers. Microsoft's `common` accepts work, school and personal accounts; each tenant is an issuer. */
export const realProviders = {
  google: { name: 'Google', issuer: 'https://accounts.google.com', github: null },
  microsoft: { name: 'Microsoft', issuer: 'https://login.microsoftonline.com/common/v2.0', github: null },
  github: {
    name: 'GitHub',
    issuer: 'https://github.com/login/oauth',
    github: {
      authorize: 'https://github.com/login/oauth/authorize',
      token: 'https://github.com/login/oauth/access_token',
      api: 'https://api.github.com',
    },
  },
} as const

/** Providers of the sandbox, where anyone can claim any identity. */
export function sandboxProviders(origin: string): Provider[] {
  const one = (id: ProviderId, name: string): Provider => ({
    id,
    name,
    issuer: `${origin}/identity/${id === 'github' ? id : `oidc/${id}`}`,
    clientId: `sandbox-${id}`,
    clientSecret: `sandbox-${id}-secret`,
    github: id === 'github' ? endpointsBelow(`${origin}/identity/github`) : null,
  })
  return [
    one('google', realProviders.google.name),
    one('microsoft', realProviders.microsoft.name),
    one('github', realProviders.github.name),
    one('oidc', 'OpenID Connect'),
  ]
}

const endpointsBelow = (base: string) => ({
  authorize: `${base}/authorize`,
  token: `${base}/access_token`,
  api: base,
})
