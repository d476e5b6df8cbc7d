import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

/** How long the parts of a call may take, in milliseconds. */
export type Times = {
  /** From the end of the body to the answer. */
  answer: number
  /** Without a single byte, while a body arrives. */
  stall: number
  /** A body of JSON. */
  body: number
  /** A form with files: 6 MB at 40 kB a second. */
  upload: number
}
export const defaultTimes: Times = { answer: 25_000, stall: 15_000, body: 30_000, upload: 150_000 }

type Deadline = { times: Times; stop: () => void; restart: () => void }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long the answer may take, in milliseconds, where it is not the app's own time. */
    deadline?: number
  }
  interface FastifyRequest {
    deadline: Deadline | null
  }
}

/**
 * Every call is answered in time: after `times.answer` as by an overloaded server, and an answer that has begun is cut.
 * The time for the body is counted apart (body.ts). Fastify's own handlerTimeout watches no call with a body: it stops
 * when that has been read (fastify/fastify#6725).
 */
export function keepDeadlines(app: FastifyInstance, times: Times) {
  app.decorateRequest('deadline', null)
  app.addHook('onRequest', (request, reply, done) => {
    const give = () => {
      if (reply.sent) return
      if (reply.raw.headersSent) reply.raw.destroy()
      else reply.send(isReceiving(request) ? new Refusal('request_timeout') : tooSlow())
    }
    const start = () => setTimeout(give, request.routeOptions.config.deadline ?? times.answer)
    let timer = start()
    const stop = () => clearTimeout(timer)
    const restart = () => {
      stop()
      timer = start()
    }
    request.deadline = { times, stop, restart }
    reply.raw.once('close', stop)
    done()
  })
}

/** The body is read and has not ended: the sender is late, not the server. */
const isReceiving = ({ raw }: FastifyRequest) => raw.readableDidRead && !raw.readableEnded

const tooSlow = () => new Refusal('busy', { retryAfter: 2 }, new Error('No answer was ready in time'))
