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
 * oddly the type is spelled (T-78). Without a body the type means nothing.
 */
export function onlyJson(app: FastifyInstance) {
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', (request, _reply, done) => {
    if (bringsBody(request)) demandJson(request)
    // Fastify would look for a parser of the type even though there is nothing to parse.
    else delete request.headers['content-type']
    if (request.url.startsWith('/api/') && !isUtf8Escaped(request.url)) throw new Refusal('malformed_body')
    done()
  })
}

function demandJson({ headers, routeOptions }: FastifyRequest) {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw new Refusal('unsupported_media_type', { text: 'http.content_encoding' })
  const { anyBody, files } = routeOptions.config ?? {}
  const type = headers['content-type'] ?? ''
  const allowed = anyBody || json.test(type) || (files && boundaryOf(type))
  if (!allowed) throw new Refusal('unsupported_media_type')
}

const bringsBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether the percent-encoded bytes of a URL or form are UTF-8. */
export function isUtf8Escaped(text: string): boolean {
  const escaped = text.match(/(?:%[\da-f]{2})+/gi) ?? []
  return escaped.every(run => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')))
}
