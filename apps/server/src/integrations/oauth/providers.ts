/** Whom the product knows how to ask who somebody is. Stored with identities, so names are never changed. */
export type ProviderId = 'google' | 'github' | 'microsoft' | 'oidc'

/** A provider as the configuration sets it up. */
export type Provider = {
  id: ProviderId
  /** As people know it. */
  name: string
  /** Where its OpenID Connect discovery is; for GitHub, which has none, what stands for it. */
  issuer: string
  clientId: string
  clientSecret: string
  /** GitHub's own endpoints; null for OpenID Connect. */
  github: { authorize: string; token: string; api: string } | null
}

/** The real ones. Microsoft's takes companies, schools and private people: each tenant is an issuer of its own. */
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

/** The sandbox's: nobody there is who they say. */
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
