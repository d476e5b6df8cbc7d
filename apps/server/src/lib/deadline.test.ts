import { Readable } from 'node:stream'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { makeLog } from '../log.ts'
import { handleErrors } from '../server/error-handler.ts'
import { defaultTimes, keepDeadlines } from './deadline.ts'

const lines: string[] = []
const log = makeLog('trace', { write: line => lines.push(line) })

/** A server that listens, for the end of a body is seen on a connection alone. */
async function serving() {
  const loggerInstance: FastifyBaseLogger = log
  const app = fastify({ loggerInstance, logController: new LogController({ disableRequestLogging: true }) })
  onTestFinished(() => app.close())
  handleErrors(app)
  keepDeadlines(app, { ...defaultTimes, answer: 20 })
  app.all('/never', () => new Promise(() => {}))
  const slow = Promise.withResolvers<{ done: number }>()
  app.all('/slow', { config: { deadline: 60_000 } }, () => slow.promise)
  const late = Promise.withResolvers<void>()
  app.get('/late', async (_request, reply) => {
    await late.promise
    return reply.redirect('/elsewhere')
  })
  app.get('/piecemeal', () => {
    const pieces = new Readable({ read() {} })
    pieces.push('the beginning')
    return pieces
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { origin, end: () => slow.resolve({ done: 1 }), endLate: late.resolve }
}
const body = { body: '{"a":1}', headers: { 'content-type': 'application/json' } }

test.for([
  ['a call', {}],
  ['a call with a body', { method: 'POST', ...body }],
  ['a change of something', { method: 'PATCH', ...body }],
] as const)('%s that nobody answers is worth another try [F-03]', async ([, init]) => {
  const { origin } = await serving()
  const answer = await fetch(`${origin}/never`, init)
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('2')
  expect(await answer.json()).toMatchObject({ code: 'busy' })
})

test('what may take longer is waited for, longer than another call was', async () => {
  const { origin, end } = await serving()
  const slow = fetch(`${origin}/slow`, { method: 'POST', ...body })
  await fetch(`${origin}/never`)
  end()
  expect(await (await slow).json()).toEqual({ done: 1 })
})

test('an answer that stalls is cut, so that no client takes it for a complete one', async () => {
  const { origin } = await serving()
  const answer = await fetch(`${origin}/piecemeal`)
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow()
})

test('work that ends too late is noted in the log, without the secrets of its address [T-03]', async () => {
  const { origin, endLate } = await serving()
  expect((await fetch(`${origin}/late?code=canary-in-the-query`)).status).toBe(503)
  endLate()
  await expect.poll(() => lines.join('')).toContain('already sent')
  expect(lines.join('')).toContain('/late')
  expect(lines.join('')).not.toContain('canary')
})
