import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { Refusal } from '../lib/refusal.ts'
import { reportPath } from './policy-reports.ts'

type Headers = Record<string, string>

/**
 * Security headers on every answer, errors and files included (security.md, V3.4). The session token lives in local
 * storage, as the specification wants, so the page's policy is the wall before it: no inline script, no eval, no
 * foreign host.
 */
export function headersOf(config: Config): { api: Headers; page: Headers } {
  const all: Headers = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
    'x-frame-options': 'DENY',
  }
  if (config.publicUrl.startsWith('https:'))
    all['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
  return {
    api: {
      ...all,
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
    page: {
      ...all,
      'content-security-policy': pagePolicy(config),
      'reporting-endpoints': `csp="${reportPath}"`,
    },
  }
}

/** The first hook of all: what refuses a request later does so with the headers on. */
export function secureHeaders(app: FastifyInstance, config: Config) {
  const { api, page } = headersOf(config)
  // Hooks of every request take a callback: a promise each would cost more than what they do.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isApi(pathOf(request)) ? api : page)
    done()
  })
}

/** What answers with data or leads on: never a page of ours. `/auth` is where browsers leave for providers and return. */
export const isApi = (path: string) => /^\/(api|auth)(\/|$)/.test(path)

/** The path that a request is about: its route's, or what it wrote, decoded, without host and query. */
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

function pagePolicy({ payments, inboxUrl }: Config): string {
  const sandbox = (payments.sandboxUrl ?? inboxUrl) ? ` ${payments.sandboxUrl ?? inboxUrl}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${sandbox}`,
    `frame-src${sandbox || " 'none'"}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `report-uri ${reportPath}`,
    'report-to csp',
  ].join('; ')
}

const probes = new Set(['/live', '/ready', '/metrics'])

/**
 * Refuses a request for another host: links come from PUBLIC_URL alone, and whoever asks for another place is not
 * ours to answer (T-74). Capitals and the scheme's own port make no other host.
 */
export function hostCheck(config: Config): (request: FastifyRequest) => void {
  const own = new URL(config.publicUrl)
  const loopback = config.env === 'production' ? null : /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
  const served = (host: string) => {
    if (host === own.host) return true
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
    check(request)
    done()
  })
}
