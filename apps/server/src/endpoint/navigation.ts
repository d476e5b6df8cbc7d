import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Refusal } from '../lib/refusal.ts'
import type { RateLimitKey } from '../rate-limit/limits.ts'
import { networkOf } from '../rate-limit/network.ts'
import { contextOf, type Server } from './mount.ts'

export type Visit = {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Whether a page of another site sent the browser, as the browser says itself. */
  fromElsewhere: boolean
}

/**
 * A page load that is part of a sign-in: the browser leaves for a provider, or returns. The answer is always a
 * redirect. An error redirects to the sign-in screen, which has a text for its code; only a missed deadline does not.
 * @param go returns a path of ours or a whole address
 */
export function navigation(
  server: Server,
  at: { path: string; limit: RateLimitKey },
  go: (ctx: Context, visit: Visit) => Promise<string>,
) {
  server.app.route({
    method: 'GET',
    url: at.path,
    // A look without a visit must not use up what the visit needs.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const params = request.params as Record<string, string> // as: a route's parameters are text
      const query = new URLSearchParams(request.url.split('?').slice(1).join('?'))
      return redirectOrShowError(server, request, reply, async () => {
        await server.limits.consume(at.limit, networkOf(request.ip))
        const fromElsewhere = !['none', 'same-origin'].includes(siteOf(request))
        return go(contextOf(server, request, reply, {}), { params, query, fromElsewhere })
      })
    },
  })
}

/** Redirects the browser to the result of `go`, or to the sign-in screen with an error code when `go` fails. */
export async function redirectOrShowError(
  { services }: Server,
  request: FastifyRequest,
  reply: FastifyReply,
  go: () => Promise<string>,
) {
  const next = await go().catch(error => `/login?error=${codeOf(error, request)}`)
  return reply.redirect(new URL(next, services.config.publicUrl).href, 303)
}

/** Browsers that are too old to say count as asking by themselves. */
const siteOf = ({ headers }: FastifyRequest) => String(headers['sec-fetch-site'] ?? 'none')

function codeOf(error: unknown, request: FastifyRequest): string {
  if (error instanceof Refusal) {
    request.log.info({ refusal: error.code }, 'refused')
    return error.code
  }
  request.log.error({ err: error }, 'unexpected error')
  return 'unexpected'
}
