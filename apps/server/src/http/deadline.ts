import type { FastifyInstance } from 'fastify'
import { Refusal } from '../lib/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long the answer may take, in milliseconds, where it is not the app's own time. */
    deadline?: number
  }
}

/**
 * Who asked is answered in time, whatever becomes of the work: after `ms` as by an overloaded server, and an answer
 * that has begun is cut. Fastify's own handlerTimeout watches no call with a body: it stops when that has been read
 * (fastify/fastify#6725).
 */
export function keepDeadlines(app: FastifyInstance, ms: number) {
  app.addHook('onRequest', (request, reply, done) => {
    const give = () => {
      if (reply.sent) return
      if (reply.raw.headersSent) reply.raw.destroy()
      else reply.send(new Refusal('busy', { retryAfter: 2 }, new Error('No answer was ready in time')))
    }
    const timer = setTimeout(give, request.routeOptions.config.deadline ?? ms)
    reply.raw.once('close', () => clearTimeout(timer))
    done()
  })
}
