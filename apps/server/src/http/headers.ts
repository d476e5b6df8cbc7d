import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { Refusal } from '../lib/refusal.ts'
import { reportPath } from './policy-reports.ts'

/**
 * Security headers on every answer, errors and files included (security.md, V3.4). The session token lives in local
 * storage, as the specification wants, so the page's policy is the wall before it: no inline script, no eval, no
 * foreign host.
 */
export function secureHeaders(app: FastifyInstance, config: Config) {
  const page = pagePolicy(config)
  const https = config.publicUrl.startsWith('https:')
  // Hooks of every request take a callback: a promise each would cost more than what they do.
  app.addHook('onRequest', (request, reply, done) => {
    const headers: Record<string, string> = {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
      'x-frame-options': 'DENY',
    }
    if (https) headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
    if (isApi(request.url)) {
      headers['cache-control'] = 'no-store'
      headers['content-security-policy'] = "default-src 'none'; frame-ancestors 'none'; sandbox"
    } else {
      headers['content-security-policy'] = page
      headers['reporting-endpoints'] = `csp="${reportPath}"`
    }
    reply.headers(headers)
    done()
  })
}

export const isApi = (url: string) => url === '/api' || url.startsWith('/api/')

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

/** Links come from PUBLIC_URL alone; a request for another host is not ours to answer (T-74). */
export function checkHost(app: FastifyInstance, config: Config) {
  const own = new URL(config.publicUrl).host
  const loopback = config.env === 'production' ? null : /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
  app.addHook('onRequest', (request, _reply, done) => {
    const host = request.headers.host ?? ''
    const probe = request.url === '/live' || request.url === '/ready' || request.url === '/metrics'
    if (host !== own && !loopback?.test(host) && !probe) throw new Refusal('host_not_served')
    done()
  })
}
