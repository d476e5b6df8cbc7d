import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { parse } from 'qs'
import type { Config } from './config.ts'
import type { Control, Reply } from './control/reply.ts'
import { controlRoutes } from './control/routes.ts'
import { forgetOld } from './housekeeping.ts'
import { createApi } from './http/api.ts'
import { ApiError, invalid } from './http/api-error.ts'
import { createFaults } from './http/faults.ts'
import { createLog } from './http/log.ts'
import { readBody, send, sendJson } from './http/respond.ts'
import { createIdentity } from './identity/identity.ts'
import { identityRoutes } from './identity/routes.ts'
import { createInbox } from './inbox/mails.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { createSmtp } from './inbox/smtp.ts'
import { isRecord } from './is-record.ts'
import './payments/all.ts'
import { passTime } from './payments/time.ts'
import { createWebhooks } from './payments/webhooks.ts'
import { createWorld, wallTime } from './world.ts'

const tickMs = 30_000

async function controlBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = await readBody(request)
  if (text === '') return {}
  if (!String(request.headers['content-type']).includes('json')) return { ...parse(text) }
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // falls through to the refusal: what was sent is not JSON
  }
  throw invalid('The body must be a JSON object.')
}

function sendReply(response: ServerResponse, { status, body, type, headers }: Reply) {
  if (type === undefined) return sendJson(response, status, body, headers)
  send(response, status, Buffer.isBuffer(body) ? body : String(body), { 'content-type': type, ...headers })
}

/** Pages of other origins may neither read nor steer the sandbox; only the API itself speaks CORS. */
function isForeign(request: IncomingMessage, port: number) {
  const { origin } = request.headers
  if (!origin || origin === 'null') return origin === 'null'
  return ![`http://localhost:${port}`, `http://127.0.0.1:${port}`].includes(origin)
}

/** A name that was rebound to this machine must not read the mails: on loopback only loopback's names are served. */
function isRebound(request: IncomingMessage, host: string) {
  if (!['127.0.0.1', 'localhost', '::1'].includes(host)) return false
  const name = (request.headers.host ?? '').replace(/:\d+$/, '')
  return !['localhost', '127.0.0.1', '[::1]'].includes(name) && !name.endsWith('.localhost')
}

export async function startSandbox(config: Config) {
  const world = createWorld(config)
  const log = createLog()
  const faults = createFaults()
  const webhooks = createWebhooks(world)
  const inbox = createInbox(world)
  const smtp = createSmtp(world, inbox)
  const identity = createIdentity(world)
  // ajv is loaded only where it judges: a start without it is a fifth of a second quicker
  const judge = config.checkResponses ? (await import('./schema/judge.ts')).judge : undefined
  const api = createApi({ world, log, faults, judge, answered: webhooks.pump })
  let port = config.port

  async function control(request: IncomingMessage, response: ServerResponse, url: URL) {
    const method = request.method ?? 'GET'
    try {
      if (method !== 'GET' && isForeign(request, port))
        throw new ApiError(403, {
          type: 'invalid_request_error',
          message: 'Cross-origin control is refused.',
        })
      const parts: Control = {
        world,
        log,
        faults,
        webhooks,
        inbox,
        smtp,
        identity,
        headers: request.headers,
        method,
        url,
        body: await controlBody(request),
      }
      const reply =
        (await identityRoutes(parts)) ?? (await inboxRoutes(parts)) ?? (await controlRoutes(parts))
      if (!reply)
        throw new ApiError(404, {
          type: 'invalid_request_error',
          message: `The sandbox has no ${method} ${url.pathname}.`,
        })
      sendReply(response, reply)
    } catch (error) {
      if (error instanceof ApiError) return sendJson(response, error.status, { error: error.body })
      console.error('sandbox: a bug of ours', error)
      sendJson(response, 500, { error: { type: 'api_error', message: 'The sandbox broke.' } })
    }
  }

  // Node's own five seconds end while a caller pauses: on a busy machine its next call meets the end of the connection.
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    if (isRebound(request, config.host))
      return send(response, 421, 'Unknown host', { 'content-type': 'text/plain' })
    const url = new URL(request.url ?? '/', world.origin)
    const serve = url.pathname.startsWith('/v1/') ? api : control
    serve(request, response, url).catch(error => {
      console.error('sandbox: a bug of ours', error)
      response.destroy()
    })
  })

  port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : config.port)
    })
  })
  world.origin = `http://localhost:${port}`
  const smtpPort = await smtp.listen(config.smtpPort, config.host)

  const tick = () => {
    passTime(world, null, wallTime(world))
    forgetOld(world)
    world.store.flush()
    webhooks.pump()
  }
  const ticker = setInterval(tick, tickMs)
  tick()

  return {
    port,
    smtpPort,
    async close() {
      clearInterval(ticker)
      world.era += 1
      webhooks.close()
      faults.clear()
      identity.clear()
      inbox.letGo()
      server.closeAllConnections()
      await Promise.all([new Promise(resolve => server.close(resolve)), smtp.close()])
      world.store.flush()
      world.store.close()
    },
  }
}
