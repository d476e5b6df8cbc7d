import type { FastifyInstance } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { RateLimiter } from '../rate-limit/limiter.ts'
import { networkOf } from '../rate-limit/network.ts'

export const reportPath = '/csp-report'

/**
 * Where browsers report what the content policy stopped. A report is a stranger's text: it is
 * counted by directive, logged in two short fields, and never kept.
 */
export async function policyReports(
  app: FastifyInstance,
  options: { limits: RateLimiter; registry: Registry },
) {
  const count = new Counter({
    name: 'csp_reports_total',
    help: 'Reports of the content security policy by directive',
    labelNames: ['directive'],
    registers: [options.registry],
  })
  await app.register(async scope => {
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      scope.getDefaultJsonParser('error', 'error'),
    )
    scope.post(reportPath, { config: { anyBody: true } }, async (request, reply) => {
      await options.limits.consume('report:network', networkOf(request.ip))
      for (const report of reportsIn(request.body).slice(0, 20)) {
        count.inc({ directive: known.has(report.directive) ? report.directive : 'other' })
        request.log.warn(report, 'content policy')
      }
      return reply.code(204).send()
    })
  })
}

const known = new Set([
  'script-src',
  'script-src-elem',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'connect-src',
  'img-src',
  'font-src',
  'frame-src',
  'require-trusted-types-for',
  'trusted-types',
])

/** Both shapes in use: the old single report, and the list of the Reporting API. */
function reportsIn(body: unknown): { directive: string; blocked: string }[] {
  const list = Array.isArray(body) ? body.map(entry => entry?.body) : [field(body, 'csp-report')]
  return list.map(report => ({
    directive: text(
      field(report, 'effectiveDirective') ??
        field(report, 'effective-directive') ??
        field(report, 'violated-directive'),
    ),
    blocked: text(field(report, 'blockedURL') ?? field(report, 'blocked-uri')).split('?', 1)[0] ?? '',
  }))
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '')
