import type { IncomingMessage } from 'node:http'
import { isCardPage } from '@plinth/contract/card-pages'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { Refusal } from '../lib/refusal.ts'
import { reportPath } from './csp-reports.ts'

type Headers = Record<string, string>

/**
 * Security headers on every answer, errors and files included. The session token is in local storage, as the
 * specification says, so the content policy protects it: no inline script, no eval, no other host. With real payment
 * keys, the pages with a card field allow the payment provider.
 */
export function headersOf(config: Config): { api: Headers; page: Headers; card: Headers } {
  const all: Headers = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': `${elsewhereNothing}, payment=(self)`,
    'x-frame-options': 'DENY',
  }
  if (isSecure(config))
    all['strict-transport-security'] = `max-age=31536000${config.hstsSubdomains ? '; includeSubDomains' : ''}`
  const page: Headers = {
    ...all,
    // No cache may keep an answer by a guess of its own, a 404 included.
    'cache-control': 'no-cache',
    'content-security-policy': policyOf(pagePolicy(config)),
  }
  if (isSecure(config)) page['reporting-endpoints'] = `csp="${reportPath}"`
  return {
    api: {
      ...all,
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
    page,
    card: config.payments.sandboxUrl
      ? page
      : {
          ...page,
          'content-security-policy': policyOf(cardPolicy(pagePolicy(config))),
          'permissions-policy': `${elsewhereNothing}, payment=(self ${stripeFrames.map(host => `"${host}"`).join(' ')})`,
        },
  }
}

/** The first hook that can answer: what refuses a request later does so with the headers on. */
export function secureHeaders(app: FastifyInstance, config: Config) {
  const { api, page, card } = headersOf(config)
  const headersFor = (path: string) => (isCardPage(path) ? card : page)
  // Hooks of every request use a callback: a promise would cost more than their work.
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request)
    reply.headers(isApi(path) ? api : headersFor(path))
    done()
  })
}

/** What answers with data or leads on: never a page of ours. `/auth` is where browsers leave for providers and return. */
export const isApi = (path: string) => /^\/(api|auth)(\/|$)/.test(path)

/** The path of a request: its route's, or the decoded one without host and query. */
export function pathOf({ routeOptions, url }: Pick<FastifyRequest, 'routeOptions' | 'url'>): string {
  if (routeOptions.url?.startsWith('/')) return routeOptions.url
  const path = (targetHost(url) === null ? url : new URL(url).pathname).split(/[?#;]/, 1)[0] ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The host inside a request target that is a whole address, as proxies get them; null for a path. */
function targetHost(url: string): string | null {
  return url.startsWith('/') || !URL.canParse(url) ? null : new URL(url).host
}

const isSecure = ({ publicUrl }: Config) => publicUrl.startsWith('https:')

type Policy = Record<string, string>

function pagePolicy(config: Config): Policy {
  const sandbox = config.payments.sandboxUrl ?? config.inboxUrl
  return {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'font-src': "'self'",
    'img-src': "'self' data: blob:",
    'connect-src': sandbox ? `'self' ${sandbox}` : "'self'",
    'frame-src': sandbox ?? "'none'",
    'manifest-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'object-src': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
    'report-uri': reportPath,
    // Browsers take endpoints by https alone, and whoever knows this directive does not look at the one above: by http
    // it would lose every report.
    ...(isSecure(config) && { 'report-to': 'csp' }),
  }
}

const stripeScripts = ['https://js.stripe.com', 'https://*.js.stripe.com']
const stripeFrames = [...stripeScripts, 'https://hooks.stripe.com']

/**
 * What Stripe.js needs, by its makers' guide. The trusted type has the name `default` because the script adds others
 * of its own by plain addresses; the browser's only policy of that name passes Stripe's and nothing else.
 */
function cardPolicy(page: Policy): Policy {
  const frames = page['frame-src'] === "'none'" ? [] : [page['frame-src']]
  return {
    ...page,
    'script-src': [page['script-src'], ...stripeScripts].join(' '),
    'connect-src': `${page['connect-src']} https://api.stripe.com`,
    'frame-src': [...frames, ...stripeFrames].join(' '),
    'trusted-types': 'default',
  }
}

const policyOf = (policy: Policy): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

const elsewhereNothing = 'camera=(), microphone=(), geolocation=()'

export const probes = new Set(['/live', '/ready', '/metrics'])

/**
 * Refuses a request for another host than PUBLIC_URL's. Capitals and the scheme's default port are the same host.
 */
export function hostCheck(config: Config): (request: FastifyRequest) => void {
  const own = new URL(config.publicUrl)
  const loopback = config.env === 'production' ? null : /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
  const served = (host: string) => {
    if (host === own.host || loopback?.test(host)) return true
    const address = `${own.protocol}//${host}`
    if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(address)) return false
    const plain = new URL(address).host
    return plain === own.host || loopback?.test(plain) === true
  }
  return request => {
    if (!request.url.startsWith('/') && !served(targetHost(request.url) ?? ''))
      throw new Refusal('host_not_served')
    if (!served(request.headers.host ?? '') && !probes.has(pathOf(request)))
      throw new Refusal('host_not_served')
  }
}

export function checkHost(app: FastifyInstance, config: Config) {
  const check = hostCheck(config)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasOneHost(request.raw)) throw new Refusal('malformed_body')
    check(request)
    done()
  })
}

/** HTTP/1.1 wants exactly one (RFC 9112, 3.2): of two, a proxy may have checked the other. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count++
  return count === 1 || (count === 0 && httpVersion === '1.0')
}
