import type { IncomingMessage, ServerResponse } from 'node:http'

const bodyLimit = 1_000_000

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > bodyLimit) throw new Error('the body is larger than 1 MB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  send(response, status, JSON.stringify(body, null, 2), { 'content-type': 'application/json', ...headers })
}

export function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string>,
) {
  response.writeHead(status, {
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...headers,
  })
  response.end(body)
}

/** All origins of the product: localhost and 127.0.0.1 are the same machine. */
export function appOrigins(appUrl: string): string[] {
  const url = new URL(appUrl)
  const port = url.port ? `:${url.port}` : ''
  return [...new Set([url.origin, `${url.protocol}//localhost${port}`, `${url.protocol}//127.0.0.1${port}`])]
}
