import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** Appends the client address to X-Forwarded-For, or adds a second header line. */
type ForwardedStyle = 'appends' | 'adds a line'

/**
 * A reverse proxy that forwards requests with their raw header lines and adds X-Forwarded-For.
 * @param from its own address; all of 127.0.0.0/8 is this machine
 */
export async function startProxy(
  to: { port: number },
  { from = '127.0.0.1', way = 'appends' as ForwardedStyle } = {},
) {
  const server = http.createServer((request, reply) => {
    const client = request.socket.remoteAddress ?? ''
    const onward = http.request({
      host: '127.0.0.1',
      port: to.port,
      localAddress: from,
      method: request.method,
      path: request.url,
      headers: forwarded(request.rawHeaders, client, way),
      agent: false,
      setHost: false,
    })
    onward.on('response', answer => {
      reply.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    request.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // as: it listens on a port
  return {
    port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Names and values in turn, as they came. */
function forwarded(raw: string[], client: string, way: ForwardedStyle): string[] {
  const lines = Array.from(
    { length: raw.length / 2 },
    (_, n) => [raw[n * 2] ?? '', raw[n * 2 + 1] ?? ''] as const,
  )
  const is = (name: string) => name.toLowerCase() === 'x-forwarded-for'
  // A connection is each hop's own.
  const own = lines.filter(([name]) => name.toLowerCase() !== 'connection')
  const end = ['Connection', 'close', 'X-Forwarded-For']
  if (way === 'adds a line') return [...own.flat(), ...end, client]
  const before = own.filter(([name]) => is(name)).map(([, value]) => value)
  const rest = own.filter(([name]) => !is(name)).flat()
  return [...rest, ...end, [...before, client].join(', ')]
}

/** One request, from an address of this machine, with header lines as they are written. */
export async function sendFrom(
  { port }: { port: number },
  { from, path, body, lines = [] }: { from: string; path: string; body: object; lines?: string[] },
) {
  const text = JSON.stringify(body)
  const host = lines.some(line => line.toLowerCase() === 'host') ? [] : ['Host', `127.0.0.1:${port}`]
  const request = http.request({
    host: '127.0.0.1',
    port,
    localAddress: from,
    method: 'POST',
    path,
    agent: false,
    setHost: false,
    headers: [
      ...host,
      ...lines,
      'Connection',
      'close',
      'Content-Type',
      'application/json',
      'Content-Length',
      String(Buffer.byteLength(text)),
    ],
  })
  request.end(text)
  const [reply] = (await once(request, 'response')) as [http.IncomingMessage] // as: what this event gives
  let said = ''
  for await (const piece of reply.setEncoding('utf8')) said += piece
  return { status: reply.statusCode ?? 0, text: said }
}
