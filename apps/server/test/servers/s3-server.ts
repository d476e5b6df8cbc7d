import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha = (text: string) => createHash('sha256').update(text).digest('hex')

/** Computes the expected AWS signature (version 4) of a request. */
function signatureOf(request: IncomingMessage, secret: string): { expected: string; sent: string } {
  const header = request.headers.authorization ?? ''
  const [, scope = '', names = '', sent = ''] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? []
  const [date = '', region = '', service = ''] = scope.split('/')
  const canonical = [
    request.method,
    request.url,
    '',
    ...names.split(';').map(name => `${name}:${request.headers[name]}`),
    '',
    names,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), service), 'aws4_request')
  return { expected: hmac(key, text).toString('hex'), sent }
}

/** A minimal S3 server that checks every signature and can be made to fail. */
export async function startS3Server(bucket: string, secret: string) {
  const objects = new Map<string, { bytes: Buffer; type: string }>()
  const state = { status: 0, location: '' }
  const asked: string[] = []
  const server = createServer(async (request, reply) => {
    const bytes = await buffer(request)
    const { expected, sent } = signatureOf(request, secret)
    asked.push(`${request.method} ${request.url}`)
    const path = request.url ?? ''
    const found = objects.get(path)
    const end = (status: number, body?: Buffer | string) => {
      reply.writeHead(status, { ...(state.location && { location: state.location }) }).end(body)
    }
    if (state.status) return end(state.status, '<Error><Code>CANARY</Code></Error>')
    if (expected !== sent) return end(403)
    if (!path.startsWith(`/${bucket}/`)) return end(404)
    if (request.method === 'PUT') {
      objects.set(path, { bytes, type: request.headers['content-type'] ?? '' })
      return end(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(path)
      return end(204)
    }
    return found ? end(200, found.bytes) : end(404)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // as: it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    asked,
    state,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
