import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

type Encoding = 'br' | 'gzip'

/** A text that is sent compressed and is asked for again by its tag. Each encoding is made at its first use. */
export type Document = {
  type: string
  etag: string
  identity: Buffer
  encoded: Record<Encoding, () => Promise<Buffer>>
}

/** Never for a text that has a secret and input of the caller in it: the compressed length would betray it (BREACH). */
export function makeDocument(type: string, text: string): Document {
  const identity = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  return {
    type,
    etag: `W/"${hash}"`,
    identity,
    encoded: { br: lazily(() => brotli(identity, { params })), gzip: lazily(() => zip(identity)) },
  }
}

/** Answers with the document in the best encoding that the client takes, or with 304 when the client has it. */
export async function sendDocument(request: FastifyRequest, reply: FastifyReply, document: Document) {
  reply.headers({ etag: document.etag, vary: 'Accept-Encoding' })
  if (hasTag(request.headers['if-none-match'], document.etag)) return reply.code(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'])
  const body = encoding ? await document.encoded[encoding]() : document.identity
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(document.type).send(body)
}

const hasTag = (header: string | undefined, etag: string) =>
  header?.split(',').some(tag => tag.trim() === etag || tag.trim() === '*') ?? false

function encodingFor(header: string | undefined): Encoding | null {
  const accepted = (header ?? '')
    .toLowerCase()
    .split(',')
    .map(part => part.split(';').map(piece => piece.trim()))
    .filter(([, ...parameters]) => !parameters.some(parameter => /^q=0(?:\.0*)?$/.test(parameter)))
    .map(([encoding]) => encoding)
  return (['br', 'gzip'] as const).find(encoding => accepted.includes(encoding)) ?? null
}

/** Makes a value at the first call. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
