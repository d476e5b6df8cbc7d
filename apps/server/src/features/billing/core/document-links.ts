/**
 * Whether a link to a document may be shown: only where the provider itself keeps it, or the sandbox does that plays
 * it. A browser opens it, so a wrong one would lead people astray (V3.7.3).
 */
export function isProviderLink(link: string, sandboxUrl: string | null): boolean {
  const url = URL.parse(link)
  if (!url || url.username || url.password) return false
  if (sandboxUrl && url.origin === new URL(sandboxUrl).origin) return true
  return url.protocol === 'https:' && url.port === '' && /(^|\.)stripe\.com$/.test(url.hostname)
}
