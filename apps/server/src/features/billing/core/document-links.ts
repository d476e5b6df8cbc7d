/**
 * Whether a link leads to the provider, or to the sandbox in its place. A browser opens it, so any other
 * address could be used for phishing.
 */
export function isProviderLink(link: string, sandboxUrl: string | null): boolean {
  const url = URL.parse(link)
  if (!url || url.username || url.password) return false
  if (sandboxUrl && url.origin === new URL(sandboxUrl).origin) return true
  return url.protocol === 'https:' && url.port === '' && /(^|\.)stripe\.com$/.test(url.hostname)
}
