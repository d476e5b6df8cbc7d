import type { Path } from '@plinth/contract/paths'

export { type Path, paths } from '@plinth/contract/paths'

/** How programs call the product with a key: a page of the server's. */
export const apiGuide = '/api/docs#keys'

/** Where a sign-in with a social provider begins: a page of the server's, no screen. */
export const socialStart = (provider: string) => `/auth/social/${encodeURIComponent(provider)}`

/** Where single sign-on begins, by the domain of an address or by a connection. */
export const samlStart = (by: { domain?: string; connection?: string }) =>
  `/auth/saml?${new URLSearchParams(by)}`

/** An address with its query; empty values are left out. */
export function withQuery(path: Path, query: Record<string, string | null | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length ? `${path}?${new URLSearchParams(given)}` : path
}
