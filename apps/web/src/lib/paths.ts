import type { Path } from '@plinth/contract/paths'

export { type Path, paths } from '@plinth/contract/paths'

/** The API guide for programs that use an API key; served by the server. */
export const apiGuide = '/api/docs#keys'

/** The URL that starts a social sign-in; served by the server. */
export const socialStart = (provider: string) => `/auth/social/${encodeURIComponent(provider)}`

/** The URL that starts single sign-on, by email domain or by connection. */
export const samlStart = (by: { domain?: string; connection?: string }) =>
  `/auth/saml?${new URLSearchParams(by)}`

/** A path with its query; empty values are omitted. */
export function withQuery(path: Path, query: Record<string, string | null | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length ? `${path}?${new URLSearchParams(given)}` : path
}
