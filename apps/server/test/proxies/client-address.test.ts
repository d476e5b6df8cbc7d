import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestApp, password } from '../harness.ts'
import { sendFrom, startProxy } from './reverse-proxy.ts'

/**
 * The client address through real proxies. The trusted proxies use 127.0.0.1 and 127.0.0.2; visitors use other loopback
 * addresses.
 */
const { app, config, db, people } = await makeTestApp({
  TRUST_PROXY: '127.0.0.1,127.0.0.2',
  RATE_LIMIT_FACTOR: '1',
})
await app.listen({ port: 0, host: '127.0.0.1' })
const direct = { port: Number(new URL(app.listeningOrigin).port) }
const proxies = {
  'one that appends': await startProxy(direct),
  'one that adds a line': await startProxy(direct, { way: 'adds a line' }),
}
const outer = await startProxy(proxies['one that appends'], { from: '127.0.0.2' })
const outerToLine = await startProxy(proxies['one that adds a line'], {
  from: '127.0.0.2',
  way: 'adds a line',
})
/** An untrusted proxy in front of the trusted ones. */
const foreign = await startProxy(proxies['one that appends'], { from: '127.0.0.77' })
const ways = { ...proxies, 'two of them': outer, 'two that add lines': outerToLine }
afterAll(async () => {
  await Promise.all([...Object.values(ways), foreign].map(proxy => proxy.close()))
  app.server.closeAllConnections()
})

const own = new URL(config.publicUrl).host
/** Forged headers; `#` is replaced by a new number each time. */
const forged: string[][] = [
  [],
  ['X-Forwarded-For', '203.0.113.#'],
  ['x-forwarded-for', '203.0.113.#', 'X-FORWARDED-FOR', '198.51.100.#'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Forwarded-For', '127.0.0.2, 127.0.0.1'],
  ['X-Forwarded-For', '203.0.113.#, 127.0.0.2'],
  ['X-Forwarded-For', '203.0.113.#, 127.0.0.2, 127.0.0.1'],
  ['X-Forwarded-For', '203.0.113.#:443'],
  ['X-Forwarded-For', '[2001:db8::#]:443'],
  ['X-Forwarded-For', '2001:db8:#::1'],
  ['X-Forwarded-For', '::ffff:127.0.0.1'],
  ['X-Forwarded-For', 'unknown, _hidden, #'],
  ['X-Forwarded-For', ', ,,'],
  ['X-Forwarded-For', ''],
  ['X-Forwarded-For', Array.from({ length: 400 }, (_, n) => `10.1.${n % 250}.#`).join(',')],
  ['Forwarded', 'for=203.0.113.#;host=evil.example;proto=https'],
  ['X-Real-IP', '203.0.113.#', 'True-Client-IP', '203.0.113.#', 'CF-Connecting-IP', '203.0.113.#'],
  ['X-Client-IP', '203.0.113.#', 'X-Cluster-Client-IP', '203.0.113.#', 'Fastly-Client-IP', '203.0.113.#'],
  ['X-Forwarded-Host', 'evil.example', 'X-Forwarded-Proto', 'evil', 'X-Forwarded-Port', '666'],
  ['X-Forwarded', '203.0.113.#', 'Forwarded-For', '203.0.113.#', 'Via', '1.1 203.0.113.#'],
]
const numbered = (lines: string[], n: number) => lines.map(line => line.replaceAll('#', String(n % 250)))

/** Signs in no more than a person may in an hour. */
let person = await people.owner()
let times = 0
/** The network that the newest session was opened from. */
async function seenAs(): Promise<string> {
  const { rows } = await db.asOwnerOfJobs(
    'select network from sessions where user_id = $1 order by created_at desc, id desc limit 1',
    [person.id],
  )
  return (rows[0] as { network: string }).network // as: the column asked for
}
async function signIn(at: { port: number }, from: string, lines: string[] = []) {
  if (++times % 50 === 0) person = await people.owner()
  return sendFrom(at, { from, path: '/api/auth', body: { email: person.email, password }, lines })
}

describe('T-79 the address is that of the last hop that is not ours', () => {
  test.each(Object.entries(ways))('behind %s, whatever the visitor writes', async (name, proxy) => {
    const block = Object.keys(ways).indexOf(name) * 50
    for (const [n, lines] of forged.entries()) {
      const from = `127.0.1.${block + n + 1}`
      const { status, text } = await signIn(proxy, from, numbered(lines, n))
      expect(status, text).toBe(200)
      expect(await seenAs(), lines.join(' ')).toBe(from)
    }
  })

  test('past the proxies, from an address that is not trusted, nothing is believed', async () => {
    for (const lines of [
      ['X-Forwarded-For', '203.0.113.9'],
      ['X-Forwarded-For', '127.0.0.1, 127.0.0.2'],
    ]) {
      expect((await signIn(direct, '127.0.0.9', lines)).status).toBe(200)
      expect(await seenAs()).toBe('127.0.0.9')
    }
  })

  test('behind an untrusted proxy the address is that of the proxy', async () => {
    for (const from of ['127.0.0.10', '127.0.0.11'])
      for (const lines of [[], ['X-Forwarded-For', '203.0.113.9, 127.0.0.2']]) {
        expect((await signIn(foreign, from, lines)).status).toBe(200)
        expect(await seenAs()).toBe('127.0.0.77')
      }
  })
})

describe('T-79 a budget of one visitor', () => {
  /** Sixty of these are free for a network. */
  const look = (at: { port: number }, from: string, lines: string[] = []) =>
    sendFrom(at, { from, path: '/api/auth/session/end', body: { token: 'x' }, lines })
  const places: [string, { port: number }, string][] = [
    ...Object.entries(ways).map(
      ([name, at], n) => [name, at, `127.0.2.${n + 1}`] as [string, typeof at, string],
    ),
    ['none at all', direct, '127.0.2.9'],
  ]

  test.each(places)(
    'is used up behind %s, with another address written each time; the neighbour has theirs',
    async (_, at, from) => {
      const statuses: number[] = []
      for (let n = 0; n < 61; n++)
        statuses.push((await look(at, from, numbered(forged[n % forged.length] ?? [], n))).status)
      expect(statuses.slice(0, 60).filter(status => status !== 422)).toEqual([])
      expect(statuses.at(-1)).toBe(429)
      expect((await look(at, from.replace('127.0.2.', '127.0.3.'))).status).toBe(422)
    },
  )

  test('is used up by the same visitor behind one proxy and two', async () => {
    const from = '127.0.4.1'
    const statuses: number[] = []
    for (let n = 0; n < 61; n++) statuses.push((await look(n % 2 ? outer : outerToLine, from)).status)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('T-79 where no address is known', () => {
  /** Clients of a Unix socket have no address. */
  const path = join(tmpdir(), `plinth-${randomBytes(6).toString('hex')}.sock`)
  const server = http.createServer((request, reply) => app.routing(request, reply))
  beforeAll(async () => {
    server.listen(path)
    await once(server, 'listening')
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  async function look(n: number): Promise<number> {
    const request = http.request({
      socketPath: path,
      method: 'POST',
      path: '/api/auth/session/end',
      agent: false,
      headers: {
        host: own,
        'content-type': 'application/json',
        ...(n % 2 ? { 'x-forwarded-for': `203.0.113.${n}` } : {}),
      },
    })
    request.end('{"token":"x"}')
    const [reply] = (await once(request, 'response')) as [http.IncomingMessage] // as: what this event gives
    reply.resume()
    return reply.statusCode ?? 0
  }

  test('all of them share one budget', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 61; n++) statuses.push(await look(n))
    expect(statuses.slice(0, 60).filter(status => status !== 422)).toEqual([])
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('T-74 T-79 request smuggling through a proxy', () => {
  const hosts: [string, string[], number[]][] = [
    ['a foreign Host', ['Host', 'evil.example'], [421]],
    ['two Hosts, ours first', ['Host', own, 'Host', 'evil.example'], [200, 400, 421]],
    ['two Hosts, ours last', ['Host', 'evil.example', 'Host', own], [400, 421]],
    [
      'every other header that names a host',
      [
        'Host',
        own,
        'X-Forwarded-Host',
        'evil.example',
        'X-Host',
        'evil.example',
        'X-Forwarded-Server',
        'evil.example',
        'Forwarded',
        'host=evil.example',
        'X-Original-URL',
        '//evil.example/',
      ],
      [200],
    ],
  ]
  test.each(hosts)('%s: links lead to PUBLIC_URL, or nothing is sent', async (_, lines, statuses) => {
    for (const [n, proxy] of Object.values(ways).entries()) {
      const { email } = await people.verified()
      const seen = (await people.mailTo(email)).id
      const asked = { from: `127.0.5.${n + 1}`, path: '/api/auth/magic', body: { email }, lines }
      const { status } = await sendFrom(proxy, asked)
      expect(statuses).toContain(status)
      if (status !== 200) continue
      const { links, text, html } = await people.mailTo(email, seen)
      // A name in a mail has its dots followed by a blank.
      expect(`${text}${html}`).not.toMatch(/evil\W{0,3}example/)
      expect(links.every(link => link.startsWith('mailto:') || link.startsWith(`${config.publicUrl}/`))).toBe(
        true,
      )
    }
  })

  const hidden = `POST /api/auth/session/end HTTP/1.1\r\nHost: ${own}\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"token":"y"}`
  const smuggled: [string, string[], string][] = [
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 5'], `0\r\n\r\n${hidden}`],
    ['two lengths', ['Content-Length: 0', `Content-Length: ${hidden.length}`], hidden],
    ['a length that is none', ['Content-Length: +0'], hidden],
    ['chunks that are none', ['Transfer-Encoding: xchunked'], hidden],
    ['a name with a blank', ['Content-Length : 0'], hidden],
    ['a line that goes on', ['X-A: b', ' Transfer-Encoding: chunked'], hidden],
    ['a bare line feed', ['X-A: b\nTransfer-Encoding: chunked'], hidden],
  ]
  test.each(smuggled)('%s: no second request comes of it', async (_, lines, rest) => {
    for (const { port } of [direct, ...Object.values(ways)]) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.6.1' })
      await once(socket, 'connect')
      socket.end(
        [
          `POST /api/auth/session/end HTTP/1.1`,
          `Host: ${own}`,
          'Content-Type: application/json',
          ...lines,
          '',
          rest,
        ].join('\r\n'),
      )
      let said = ''
      for await (const piece of socket.setEncoding('utf8')) said += piece
      // One refusal and the end of the line; nothing of ours was ever asked the hidden question.
      expect(said.match(/HTTP\/1\.1 \d{3}/g) ?? []).toHaveLength(1)
      expect(said).toMatch(/^HTTP\/1\.1 4\d\d/)
      expect(said).not.toContain('"link_expired"')
    }
  })
})
