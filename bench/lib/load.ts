import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export type Call = {
  method: 'GET' | 'POST'
  path: string
  token?: string
  headers?: Record<string, string>
  body?: object
}
export type Slice = {
  seconds: number
  answers: number
  /** Answers a second. */
  rate: number
  /** Milliseconds at the middle. */
  p50: number
  p99: number
}
type Options = {
  connections: number
  seconds: number
  /** Between an answer and the next call, at the middle: half of it to one and a half times. */
  pauseMs?: number
}

/**
 * A load generator with microseconds in its clock: the usual ones count whole milliseconds, and the floor's median is
 * below one. Keep-alive connections, each with one call under way; any answer that is not 200 ends the run.
 */
export async function load(
  port: number,
  calls: Call[],
  { connections, seconds, pauseMs = 0 }: Options,
): Promise<Slice> {
  const messages = calls.map(call => message(port, call))
  const latencies: number[] = []
  const lines = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const from = performance.now()
  const until = from + seconds * 1000
  await Promise.all(
    lines.map(async (line, index) => {
      for (let n = index; performance.now() < until; n += connections) {
        const sent = performance.now()
        await line.ask(messages[n % messages.length] ?? Buffer.alloc(0))
        latencies.push(performance.now() - sent)
        if (pauseMs) await wait(pauseMs * (0.5 + Math.random()))
      }
    }),
  )
  const took = (performance.now() - from) / 1000
  for (const line of lines) line.close()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return {
    seconds: took,
    answers: latencies.length,
    rate: latencies.length / took,
    p50: at(0.5),
    p99: at(0.99),
  }
}

/**
 * Calls one after the other over one connection. Refusals of the request's content are fine; a rate limit or a
 * server error ends the run.
 * @returns milliseconds of each
 */
export async function timeEach(port: number, calls: Call[]): Promise<number[]> {
  const line = await open(port, { anyStatus: true })
  const taken: number[] = []
  for (const call of calls) {
    const bytes = message(port, call)
    const sent = performance.now()
    const { status, body } = await line.ask(bytes)
    taken.push(performance.now() - sent)
    if (status === 429 || status >= 500) throw new Error(`Answered ${status}: ${body.slice(0, 300)}`)
  }
  line.close()
  return taken
}

/** One call; its status and body. */
export async function callOnce(port: number, call: Call): Promise<{ status: number; body: string }> {
  const line = await open(port, { anyStatus: true })
  try {
    return await line.ask(message(port, call))
  } finally {
    line.close()
  }
}

function message(port: number, { method, path, token, headers = {}, body }: Call): Buffer {
  const text = body ? JSON.stringify(body) : ''
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`] : []),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}

type Line = { ask(message: Buffer): Promise<{ status: number; body: string }>; close(): void }

async function open(port: number, options: { anyStatus?: boolean } = {}): Promise<Line> {
  const socket = await connected(port)
  let waiting: PromiseWithResolvers<{ status: number; body: string }> | undefined
  let received = ''
  const fail = (error: Error) => waiting?.reject(error)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('The connection was closed before the answer')))
  socket.on('data', chunk => {
    // Latin 1, so that a character is a byte and content-length can be trusted.
    received += chunk.toString('latin1')
    const head = received.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1])
    if (received.length < head + 4 + length) return
    const status = Number(received.slice(9, 12))
    const body = received.slice(head + 4)
    received = ''
    if (status === 200 || options.anyStatus) waiting?.resolve({ status, body })
    else fail(new Error(`Answered ${status}: ${body.slice(0, 300)}`))
  })
  return {
    ask(bytes) {
      waiting = Promise.withResolvers()
      socket.write(bytes)
      return waiting.promise
    },
    close() {
      waiting = undefined
      socket.destroy()
    },
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}
