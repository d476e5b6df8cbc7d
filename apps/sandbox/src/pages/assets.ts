import { readFileSync } from 'node:fs'

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

const known = new Map<string, Buffer>()

export function asset(name: string): Buffer {
  const found = known.get(name) ?? readFileSync(new URL(`./files/${name}`, import.meta.url))
  known.set(name, found)
  return found
}

const served = [
  'page.css',
  'inbox.css',
  'inbox.js',
  'identity.css',
  'identity-post.js',
  'log.js',
  'start.js',
  'three-d-secure.js',
  'time.css',
  'time.js',
  'mark.svg',
  'inter.woff2',
]

/** Serves only the listed files. */
export function servedAsset(path: string): { body: Buffer; type: string } | undefined {
  const name = served.find(one => path === `/sandbox/files/${one}`)
  const type = name && types[name.split('.').at(-1) ?? '']
  return name && type ? { body: asset(name), type } : undefined
}

export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/**
 * Mails may load images of the product and open links in new tabs, but run no scripts. `default-src 'none'` stops them;
 * a sandbox without `allow-scripts` would also stop the scripts of browser tests.
 */
export const mailPolicy = (appOrigins: readonly string[]) =>
  `sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: ${appOrigins.join(' ')}; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, letter => escapes[letter] ?? letter)
