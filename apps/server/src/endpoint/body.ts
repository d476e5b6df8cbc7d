import type { FastifyInstance, FastifyRequest } from 'fastify'
import { defaultTimes } from '../lib/deadline.ts'
import { bodyTooLarge, Refusal } from '../lib/refusal.ts'

/**
 * Reads a body whole, up to `most` bytes, whatever the sender says about the length. A sender that stalls or drips is
 * refused with 408. The time for the answer begins at the end of the body.
 */
export function readBody(request: FastifyRequest, most: number, time: 'body' | 'upload'): Promise<Buffer> {
  const { raw, headers, deadline } = request
  if (Number(headers['content-length'] ?? 0) > most) throw bodyTooLarge(most)
  const times = deadline?.times ?? defaultTimes
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    deadline?.stop()
    const late = () => finish(new Refusal('request_timeout'))
    const timers = [setTimeout(late, times.stall), setTimeout(late, times[time])]
    const receive = (chunk: Buffer) => {
      timers[0]?.refresh()
      length += chunk.length
      if (length > most) finish(bodyTooLarge(most))
      else chunks.push(chunk)
    }
    const end = () => finish(null)
    const gone = () => finish(new Refusal('malformed_body'))
    function finish(refusal: Refusal | null) {
      for (const timer of timers) clearTimeout(timer)
      raw.off('data', receive).off('end', end).off('close', gone)
      deadline?.restart()
      if (refusal) reject(refusal)
      else resolve(Buffer.concat(chunks, length))
    }
    // A connection that breaks is also an error event, which nothing else listens to.
    raw.once('error', gone)
    raw.on('data', receive).on('end', end).on('close', gone)
  })
}

/** Reads JSON. Without any text there is no body, whatever its type says: many clients always send the type. */
export function jsonBodies(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', (request, _payload, done) => {
    Promise.resolve()
      .then(() => readBody(request, request.routeOptions.bodyLimit, 'body'))
      .then(bytes => (bytes.length > 0 ? parse(request, textOf(bytes), done) : done(null, undefined)))
      .catch(done)
  })
}

/** Refuses bytes that are not UTF-8: with replacement characters two different texts would become equal. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new Refusal('malformed_body', {}, error)
  }
}

const mostLeft = 16 * 1024 * 1024
const drainMs = 10_000

/**
 * Used when the answer is ready before the body has ended. Reads and drops the rest of the body up to a limit, because
 * closing the connection at once would often lose the answer.
 */
export function dropRest({ raw }: FastifyRequest) {
  if (raw.complete || raw.destroyed) return
  let left = mostLeft
  const cut = () => raw.destroy()
  const timer = setTimeout(cut, drainMs).unref()
  raw.once('close', () => clearTimeout(timer))
  raw.once('end', () => clearTimeout(timer))
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) cut()
  })
  raw.resume()
}
