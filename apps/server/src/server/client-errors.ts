import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type RefusalCode, refusals } from '@plinth/contract/refusals'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { translate } from '../lib/i18n.ts'
import { answerError } from './error-handler.ts'
import { headersOf, hostCheck, isApi, pathOf } from './headers.ts'

/**
 * Requests that never reach a route, and so none of the hooks: a path that can't be decoded, and bytes that are no
 * HTTP. They get the same headers, the same check of the host and the same words as all others.
 */
export function unroutable(config: Config) {
  const { api, page } = headersOf(config)
  const check = hostCheck(config)
  return {
    frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
      reply.headers(isApi(pathOf(request)) ? api : page)
      try {
        check(request)
        answerError(error, request, reply)
      } catch (refused) {
        answerError(refused as FastifyError, request, reply) // as: only refusals are thrown above
      }
    },
    clientErrorHandler(error: Error & { code?: string }, socket: Socket) {
      // The connection is closed already.
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
      else socket.end(plainAnswer(api, ofNode[error.code ?? ''] ?? 'malformed_body'))
    },
  }
}

/** What Node itself refuses, in our words. */
const ofNode: Record<string, RefusalCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

function plainAnswer(api: Record<string, string>, code: RefusalCode): string {
  const { status, headers, body } = answerOf(api, code)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

/** Node answers an unknown Expect header itself, before any hook. */
export function refuseExpectations(app: FastifyInstance, config: Config) {
  const { status, headers, body } = answerOf(headersOf(config).api, 'expectation_failed')
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, headers).end(body)
  })
}

function answerOf(api: Record<string, string>, code: RefusalCode) {
  const body = JSON.stringify({ message: translate('en', `refusals.${code}`), code })
  const headers: Record<string, string | number> = {
    ...api,
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  }
  return { status: refusals[code], headers, body }
}
