import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
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
  const body = JSON.stringify({ message: translate('en', 'refusals.malformed_body'), code: 'malformed_body' })
  const headers = {
    ...api,
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const rest = `${lines.join('')}\r\n${body}`
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
      // Gone already: there is nobody to tell.
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
      else socket.end(`HTTP/1.1 ${statusLine(error.code)}\r\n${rest}`)
    },
  }
}

function statusLine(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout'
  return '400 Bad Request'
}
