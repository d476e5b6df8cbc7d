import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { Refusal } from '../lib/refusal.ts'
import { isApi, pathOf, probes } from './headers.ts'

/**
 * What the proxy in front says about a connection. With an https PUBLIC_URL, a request that reached the proxy in plain
 * text is not served: pages redirect to https, and API calls are refused, because their token has already crossed the
 * network in the clear and a redirect would hide that from the client.
 */
export function checkProxy(app: FastifyInstance, config: Config) {
  const demandsHttps = config.publicUrl.startsWith('https:') && config.trustProxy.length > 0
  if (demandsHttps)
    app.addHook('onRequest', (request, reply, done) => {
      const path = pathOf(request)
      if (schemeAtProxy(request) !== 'http' || probes.has(path)) return done()
      if (isApi(path) || !['GET', 'HEAD'].includes(request.method) || !request.url.startsWith('/'))
        throw new Refusal('https_required')
      reply.redirect(config.publicUrl + request.url, 308)
    })
  if (config.trustProxy.length === 0) warnOfProxy(app)
}

/** As the last proxy says; null when it says nothing. */
function schemeAtProxy({ headers }: FastifyRequest): string | null {
  const said = headers['x-forwarded-proto']
  return (
    String(said ?? '')
      .split(',')
      .at(-1)
      ?.trim()
      .toLowerCase() || null
  )
}

/** Says once that a proxy is in front whose headers are ignored. */
function warnOfProxy(app: FastifyInstance) {
  let warned = false
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request
    if (!warned && (headers['x-forwarded-for'] || headers.forwarded)) {
      warned = true
      request.log.warn(
        { peer: request.ip },
        'X-Forwarded-For or Forwarded arrives but TRUST_PROXY is not set: all visitors share one rate limit. Set TRUST_PROXY to the address of the proxy',
      )
    }
    done()
  })
}
