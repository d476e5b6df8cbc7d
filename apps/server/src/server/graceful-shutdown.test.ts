import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createServerEnv, startServer } from '../../test/harness/server-process.ts'
import { freshEmail, password } from '../../test/harness.ts'
import { ConfigError } from '../config.ts'
import { whyNotListening } from './listen-errors.ts'

const own = await createServerEnv()

/** A connection that keeps what comes back. */
async function open(url: string): Promise<Socket & { answer: () => string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', chunk => (answer += chunk))
  // A server may reset a connection that sent no request.
  socket.on('error', () => {})
  await once(socket, 'connect')
  return Object.assign(socket, { answer: () => answer })
}
const closed = (socket: Socket) => (socket.closed ? Promise.resolve() : once(socket, 'close'))
const isReady = (url: string) =>
  fetch(`${url}/ready`, { headers: { connection: 'close' } }).then(
    reply => reply.status === 200,
    () => false,
  )

test('a stopping server answers running requests and closes all connections [F-13]', async () => {
  const env = { ...own, LOG_LEVEL: 'info', APP_SECRET: 'a secret for tests, long enough to be taken' }
  const server = await startServer(env)
  const host = `host: localhost:${new URL(server.url).port}\r\n`

  const idle = await open(server.url)
  idle.write(`GET /live HTTP/1.1\r\n${host}\r\n`)
  await once(idle, 'data')
  const silent = await open(server.url)
  const busy = await open(server.url)
  const body = JSON.stringify({
    first_name: 'Mara',
    last_name: 'Okafor',
    email: freshEmail('drain'),
    password,
  })
  busy.write(`GET /live HTTP/1.1\r\n${host}\r\n`)
  await once(busy, 'data')
  // The server has this request's head and waits for the rest: it is in flight for as long as the test wants.
  busy.write(
    `POST /api/account HTTP/1.1\r\n${host}content-type: application/json\r\ncontent-length: ${body.length}\r\n` +
      `expect: 100-continue\r\n\r\n${body.slice(0, 10)}`,
  )
  while (!busy.answer().includes('100 Continue')) await once(busy, 'data')

  const exit = server.stop()
  while (await isReady(server.url));
  await Promise.all([closed(idle), closed(silent)])
  expect(busy.closed).toBe(false)
  busy.write(body.slice(10))
  await closed(busy)
  expect(await exit).toBe(0)

  const answer = busy.answer().slice(busy.answer().indexOf('100 Continue'))
  expect(answer).toContain('HTTP/1.1 200 OK')
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  expect(answer).toMatch(/"token":"[\w-]+".*\}$/)
  const lines = server.output().split('\n')
  const told = (message: string) => lines.findIndex(line => line.includes(`"msg":"${message}"`))
  expect(['draining', 'requests ended', 'jobs ended', 'database closed'].map(told)).toEqual(
    ['draining', 'requests ended', 'jobs ended', 'database closed'].map(told).toSorted((a, b) => a - b),
  )
  expect(told('draining')).toBeGreaterThan(-1)
})

test('HOST that can’t be listened on stops the start with its name', async () => {
  const server = await startServer({ ...own, HOST: '192.0.2.1' }, { expectReady: false })
  expect(await server.exited).toBe(1)
  expect(server.errors()).toMatch(/Plinth can't start.\nHOST: expected /)
  expect(server.errors()).not.toContain('    at ')
})

// Longer than a host name may be, so that no name server is asked.
const noHost = `${'x'.repeat(64)}.invalid`

test.each([
  ['HOST', /^HOST: expected /, async () => ({ host: noHost, port: 0 })],
  ['HOST', /^HOST: expected /, async () => ({ host: '192.0.2.1', port: 0 })],
  ['PORT', /^PORT: \d+ is taken on /, async () => ({ host: '127.0.0.1', port: await takenPort() })],
])('%s that can’t be listened on is what the start would say', async (_, sentence, where) => {
  const server = createServer().listen(await where())
  const [error] = await once(server, 'error')
  const why = whyNotListening(error)
  expect(why).toBeInstanceOf(ConfigError)
  expect(why.message).toMatch(sentence)
})

async function takenPort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const address = taken.address()
  return typeof address === 'object' && address ? address.port : 0
}
