import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Browser } from '../context.ts'
import { hashToken, newToken } from '../lib/crypto.ts'

/** Lifetime of each cookie: `browser` is permanent, `flow` is for sign-ins that redirect to another site. */
const days = { browser: 400, flow: 1 }

/**
 * Recognizes a browser by a cookie that no script can read. The cookie does not sign in: it identifies the browser that
 * began a flow, and a device that the user has signed in with before.
 *
 * A flow that leaves for another site has a cookie of its own: pages ask things in the background, whose answers may give
 * a new browser its first cookie just after it has left, and would take the flow's away.
 */
export function browserOf(
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  kind: keyof typeof days = 'browser',
): Browser {
  const secure = config.publicUrl.startsWith('https:')
  // The prefix binds the cookie to this host alone; browsers take it over https only.
  const name = secure ? `__Host-${kind}` : kind
  let own: Buffer | null | undefined
  function known() {
    if (own === undefined) {
      const id = parseCookie(request.headers.cookie ?? '')[name]
      own = id && /^[\w-]{43}$/.test(id) ? hashToken(id) : null
    }
    return own
  }
  return {
    known,
    ensure() {
      const before = known()
      if (before) return before
      const id = newToken()
      const maxAge = days[kind] * 86_400
      reply.header(
        'set-cookie',
        stringifySetCookie({ name, value: id, httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge }),
      )
      own = hashToken(id)
      return own
    },
  }
}
