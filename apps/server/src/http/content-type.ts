import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../lib/refusal.ts'
import { boundaryOf } from './multipart.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads bodies that are not JSON, with a parser of its own. */
    anyBody?: boolean
    /** The route takes multipart beside JSON. */
    files?: boolean
  }
}

const json = /^application\/json(?: ?; ?charset="?utf-8"?)?$/i

/**
 * Bodies are JSON, by an exact match before anything is parsed: no handler ever sees a body of another type, however
 * oddly the type is spelled (T-78).
 */
export function onlyJson(app: FastifyInstance) {
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', (request, _reply, done) => {
    const type = request.headers['content-type']
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding.toLowerCase() !== 'identity' && bringsBody(request))
      throw new Refusal('unsupported_media_type', { text: 'http.content_encoding' })
    const { anyBody, files } = request.routeOptions.config ?? {}
    const allowed = type === undefined ? !bringsBody(request) : json.test(type) || (files && boundaryOf(type))
    if (!allowed && !anyBody) throw new Refusal('unsupported_media_type')
    if (request.url.startsWith('/api/') && !isUtf8Escaped(request.url)) throw new Refusal('malformed_body')
    done()
  })
}

/** Only who sends nothing needs no type. */
const bringsBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether what is percent-encoded in an address or a form is UTF-8. */
export function isUtf8Escaped(text: string): boolean {
  const escaped = text.match(/(?:%[\da-f]{2})+/gi) ?? []
  return escaped.every(run => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')))
}
