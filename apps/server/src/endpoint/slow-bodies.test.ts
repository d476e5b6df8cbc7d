import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { multipartBody, pngImage } from '../../test/factories/images.ts'
import { makeTestApp } from '../../test/harness.ts'

/** Nothing is waited for but the limit under test; all others are out of reach. */
const long = 600_000
const waitsFor = (limit: object) =>
  makeTestApp({}, undefined, { answer: long, stall: long, body: long, upload: long, ...limit })

const port = async ({ app }: Awaited<ReturnType<typeof makeTestApp>>) =>
  Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)

/** Sends the parts one after another, and nothing more. @returns all that the server answers until it closes */
async function send(to: number, parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(to, '127.0.0.1')
  for (const part of parts) await new Promise(resolve => socket.write(part, resolve))
  return text(socket)
}

const head = (method: string, url: string, headers: Record<string, string | number>) =>
  `${method} ${url} HTTP/1.1\r\nhost: localhost:5000\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
const json = { 'content-type': 'application/json', 'content-length': 100 }

describe("a body that does not arrive is answered 408, as the sender's fault", () => {
  test.each([{ stall: 30 }, { body: 30 }])('JSON that stops, with %o', async limit => {
    const at = await port(await waitsFor(limit))
    const answer = await send(at, [head('POST', '/api/auth', json), '{"email":'])
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    expect(answer).toContain('"code":"request_timeout"')
    expect(answer).toContain('Check your connection')
  })

  test.each([{ stall: 30 }, { upload: 30 }])('a form that stops, with %o', async limit => {
    const server = await waitsFor(limit)
    const { token } = await server.people.owner()
    const headers = {
      ...multipartBody([]).headers,
      'content-length': 5_000_000,
      authorization: `Bearer ${token}`,
    }
    const answer = await send(await port(server), [head('PATCH', '/api/user', headers), '--plinth'])
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('bytes that keep coming do not stall, and the answer has its own time', async () => {
    const server = await waitsFor({ answer: 20_000 })
    const { token } = await server.people.owner()
    const { body, headers } = multipartBody([
      { name: 'avatar', value: await pngImage(600, 600), filename: 'a.png' },
    ])
    const bytes = Buffer.from(body)
    const all = {
      ...headers,
      'content-length': bytes.length,
      authorization: `Bearer ${token}`,
      connection: 'close',
    }
    const pieces = Array.from({ length: Math.ceil(bytes.length / 512) }, (_, n) =>
      bytes.subarray(n * 512, (n + 1) * 512),
    )
    const answer = await send(await port(server), [head('PATCH', '/api/user', all), ...pieces])
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toContain('"avatar":"/api/avatar/')
  })
})

test('a body that is far too large is read and dropped, so that its sender reads the 413', async () => {
  const server = await waitsFor({})
  const { token } = await server.people.owner()
  const at = await port(server)
  const large = new Uint8Array(10 * 1024 * 1024)
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const answer = await fetch(`http://localhost:${at}/api/feedback`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: large,
      })
      return answer.status
    }),
  )
  expect(statuses).toEqual(Array(8).fill(413))
})

describe('what Node would answer by itself has our headers and our JSON', () => {
  test.each([
    [
      'two Host headers',
      'GET / HTTP/1.1\r\nhost: localhost:5000\r\nhost: evil.example\r\nconnection: close\r\n\r\n',
      400,
    ],
    ['no Host header', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    [
      'an unknown Expect',
      'GET / HTTP/1.1\r\nhost: localhost:5000\r\nexpect: 200-maybe\r\nconnection: close\r\n\r\n',
      417,
    ],
    ['endless headers', `GET / HTTP/1.1\r\nhost: localhost:5000\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
  ])('%s', async (_what, bytes, status) => {
    const answer = await send(await port(await waitsFor({})), [bytes])
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toContain('"code":"')
    expect(answer).toMatch(/x-content-type-options: nosniff/i)
  })
})
