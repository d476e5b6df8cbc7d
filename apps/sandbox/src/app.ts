import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { parse } from 'qs'
import type { Config } from './config.ts'
import type { ControlCall, ControlReply } from './control/reply.ts'
import { controlRoutes } from './control/routes.ts'
import { deleteExpired } from './delete-expired.ts'
import { ApiError, invalid } from './http/api-error.ts'
import { createApiFaults } from './http/api-faults.ts'
import { createRequestLog } from './http/request-log.ts'
import { readBody, send, sendJson } from './http/respond.ts'
import { createApi } from './http/stripe-api.ts'
import { createIdentity } from './identity/identity.ts'
import { identityRoutes } from './identity/routes.ts'
import { createInbox } from './inbox/inbox.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { createSmtp } from './inbox/smtp.ts'
import { isRecord } from './is-record.ts'
import './payments/routes.ts'
import { createContext, sandboxTime } from './context.ts'
import { advanceTime } from './payments/advance-time.ts'
import { createWebhooks } from './payments/events/webhooks.ts'

const tickMs = 30_000

async function controlBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = await readBody(request)
  if (text === '') return {}
  if (!String(request.headers['content-type']).includes('json')) return { ...parse(text) }
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // Not JSON: refused below.
  }
  throw invalid('The body must be a JSON object.')
}

function sendReply(response: ServerResponse, { status, body, type, headers }: ControlReply) {
  if (type === undefined) return sendJson(response, status, body, headers)
  send(response, status, Buffer.isBuffer(body) ? body : String(body), { 'content-type': type, ...headers })
}

/** Other origins may not control the sandbox. Only the API itself supports CORS. */
function isForeign(request: IncomingMessage, port: number) {
  const { origin } = request.headers
  if (!origin || origin === 'null') return origin === 'null'
  return ![`http://localhost:${port}`, `http://127.0.0.1:${port}`].includes(origin)
}

/** Prevents DNS rebinding: on loopback only loopback host names are served. */
function isRebound(request: IncomingMessage, host: string) {
  if (!['127.0.0.1', 'localhost', '::1'].includes(host)) return false
  const name = (request.headers.host ?? '').replace(/:\d+$/, '')
  return !['localhost', '127.0.0.1', '[::1]'].includes(name) && !name.endsWith('.localhost')
}

export async function startSandbox(config: Config) {
  const context = createContext(config)
  const log = createRequestLog()
  const faults = createApiFaults()
  const webhooks = createWebhooks(context)
  const inbox = createInbox(context)
  const smtp = createSmtp(context, inbox)
  const identity = createIdentity(context)
  // Loaded on demand: a start without ajv is a fifth of a second faster.
  const checkResponse = config.checkResponses
    ? (await import('./schema/check-response.ts')).checkResponse
    : undefined
  const api = createApi({ context, log, faults, checkResponse, onResponseSent: webhooks.sendPending })
  let port = config.port

  async function control(request: IncomingMessage, response: ServerResponse, url: URL) {
    const method = request.method ?? 'GET'
    try {
      if (method !== 'GET' && isForeign(request, port))
        throw new ApiError(403, {
          type: 'invalid_request_error',
          message: 'Cross-origin control is refused.',
        })
      const parts: ControlCall = {
        context,
        log,
        faults,
        webhooks,
        inbox,
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
      console.error('sandbox: unexpected error', error)
      sendJson(response, 500, { error: { type: 'api_error', message: 'The sandbox failed.' } })
    }
  }

  // With Node's default of five seconds a call on a busy machine can hit a closing connection.
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    if (isRebound(request, config.host))
      return send(response, 421, 'Unknown host', { 'content-type': 'text/plain' })
    const url = new URL(request.url ?? '/', context.origin)
    const serve = url.pathname.startsWith('/v1/') ? api : control
    serve(request, response, url).catch(error => {
      console.error('sandbox: unexpected error', error)
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
  context.origin = `http://localhost:${port}`
  const smtpPort = await smtp.listen(config.smtpPort, config.host)

  const tick = () => {
    advanceTime(context, null, sandboxTime(context))
    deleteExpired(context)
    context.store.flush()
    webhooks.sendPending()
  }
  const ticker = setInterval(tick, tickMs)
  tick()

  return {
    port,
    smtpPort,
    async close() {
      clearInterval(ticker)
      context.resetCount += 1
      webhooks.close()
      faults.clear()
      inbox.releaseWaiting()
      server.closeAllConnections()
      await Promise.all([new Promise(resolve => server.close(resolve)), smtp.close()])
      context.store.flush()
      context.store.close()
    },
  }
}
