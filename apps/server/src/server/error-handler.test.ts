import fastify, { type FastifyBaseLogger } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeLog } from '../log.ts'
import { handleErrors } from './error-handler.ts'

/** A server that does nothing but fail. */
async function failing(handler: () => unknown) {
  const log = makeLog('silent')
  const error = vi.spyOn(log, 'error')
  const loggerInstance: FastifyBaseLogger = Object.assign(log, { child: () => log })
  const app = fastify({ loggerInstance })
  onTestFinished(() => app.close())
  handleErrors(app)
  app.get('/', async () => handler())
  const { statusCode, headers, body } = await app.inject({ url: '/' })
  const { code } = JSON.parse(body)
  return { status: statusCode, code, retryAfter: headers['retry-after'], logged: error.mock.calls.length }
}
const throwing =
  (code: string | undefined, message = 'x') =>
  () => {
    throw Object.assign(new Error(message), code ? { code } : {})
  }

test.each([
  ['a statement that took too long', '57014', 'canceling statement due to statement timeout'],
  ['a database that shuts down', '57P01', 'x'],
  ['no connection left', '53300', 'x'],
  ['no connection', 'ECONNREFUSED', 'x'],
  ['an answer that never came', undefined, 'Query read timeout'],
  ['a pool that has none to give', undefined, 'timeout exceeded when trying to connect'],
])('%s is worth another try', async (_what, code, message) => {
  expect(await failing(throwing(code, message))).toEqual({
    status: 503,
    code: 'busy',
    retryAfter: '2',
    logged: 0,
  })
})

test.each(['22001', '22021', '22P02', '22P05', '23514'])(
  'a value that the database will not keep (%s) is the caller’s mistake, and ours to look into',
  async code => {
    expect(await failing(throwing(code))).toMatchObject({ status: 422, code: 'invalid_input', logged: 1 })
  },
)

test('anything else is ours: logged whole, told nothing', async () => {
  expect(await failing(throwing('23503', 'secret detail'))).toMatchObject({
    status: 500,
    code: 'unexpected',
    logged: 1,
  })
})
