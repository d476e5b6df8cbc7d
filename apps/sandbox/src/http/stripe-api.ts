import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'qs'
import { type SandboxContext, sandboxTime } from '../context.ts'
import { isRecord } from '../is-record.ts'
import { randomText } from '../objects/ids.ts'
import type { StoredReply } from '../objects/stored-objects.ts'
import type { CheckResponse } from '../schema/check-response.ts'
import { apiVersion } from '../schema/definitions.ts'
import { readParams } from '../schema/read-params.ts'
import { ApiError, invalid } from './api-error.ts'
import { type ApiFault, type ApiFaults, faultError } from './api-faults.ts'
import { renderObject } from './render-object.ts'
import type { LogEntry, RequestLog } from './request-log.ts'
import { appOrigins, readBody, send } from './respond.ts'
import { findRoute, type Route } from './route.ts'
import { refuseUnsupported } from './supported-params.ts'

interface Parts {
  context: SandboxContext
  log: RequestLog
  faults: ApiFaults
  checkResponse: CheckResponse | undefined
  /** Sends webhooks, which follow the reply. */
  onResponseSent: () => void
}

interface ApiReply {
  status: number
  body: string
  replayed?: boolean
  retry?: boolean | undefined
}

function apiKeyOf(request: IncomingMessage, raw: Record<string, unknown>): string {
  const [scheme, value = ''] = (request.headers.authorization ?? '').split(' ')
  if (scheme === 'Bearer') return value
  if (scheme === 'Basic') return Buffer.from(value, 'base64').toString().split(':')[0] ?? ''
  return typeof raw.key === 'string' ? raw.key : ''
}

const unauthorized = (message: string) => new ApiError(401, { type: 'invalid_request_error', message })

function authorize(request: IncomingMessage, raw: Record<string, unknown>, route: Route): boolean {
  const key = apiKeyOf(request, raw)
  if (key === '') throw unauthorized('You did not provide an API key.')
  if (/^(sk|pk|rk)_live_/.test(key)) throw unauthorized('This is the sandbox: it refuses live keys.')
  if (key === 'pk_test_sandbox') {
    if (!route.publishable)
      throw new ApiError(403, {
        type: 'invalid_request_error',
        code: 'secret_key_required',
        message: 'This API call cannot be made with a publishable API key.',
      })
    return true
  }
  if (!/^sk_test_\w+$/.test(key)) throw unauthorized(`Invalid API Key provided: ${key.slice(0, 8)}…`)
  return false
}

function assertVersion(request: IncomingMessage) {
  const asked = request.headers['stripe-version']
  if (asked !== undefined && asked !== apiVersion)
    throw invalid(`Invalid Stripe API version: ${String(asked)}; the sandbox supports ${apiVersion}.`)
}

export function createApi({ context, log, faults, checkResponse, onResponseSent }: Parts) {
  const inFlight = new Set<string>()

  const execute = (
    route: Route,
    id: string,
    path: string,
    raw: Record<string, unknown>,
    publishable: boolean,
  ) => {
    const { key: _key, client_secret: secret, ...fields } = raw
    const clientSecret = typeof secret === 'string' ? secret : null
    const params = readParams(route.request, fields)
    refuseUnsupported(route.request, params)
    const call = { context, params, id, path, publishable, clientSecret }
    const value = renderObject(context, route.run(call as Parameters<Route['run']>[0]), params.expand) // as: the schema above has read the params
    const wrong = checkResponse?.(value) ?? []
    if (wrong.length > 0) {
      console.error(
        `sandbox: ${route.method} ${path} returned a reply that does not match Stripe:\n  ${wrong.join('\n  ')}`,
      )
      throw new ApiError(
        500,
        { type: 'api_error', message: `The reply does not match Stripe: ${wrong[0]}` },
        false,
      )
    }
    return { status: 200, body: JSON.stringify(value, null, 2) }
  }

  const failure = (error: unknown, requestId: string): ApiReply => {
    if (error instanceof ApiError) {
      const body = { error: { ...error.body, request_log_url: `${context.origin}/sandbox/log#${requestId}` } }
      return {
        status: error.status,
        body: JSON.stringify(renderObject(context, body, []), null, 2),
        retry: error.retry,
      }
    }
    console.error('sandbox: unexpected error', error)
    return {
      status: 500,
      body: JSON.stringify({ error: { type: 'api_error', message: 'The sandbox failed.' } }),
    }
  }

  /** Stripe stores the errors of an executed call too, but no error before the execution. */
  const isStored = (error: unknown) =>
    error instanceof ApiError && (error.status === 402 || error.status === 404)

  const replayStored = (stored: StoredReply, fingerprint: string): ApiReply => {
    if (stored.fingerprint !== fingerprint)
      throw new ApiError(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${stored.id}' if you meant to execute a different request.`,
      })
    return { status: stored.status, body: stored.body, replayed: true }
  }

  const reply = async (
    request: IncomingMessage,
    url: URL,
    entry: LogEntry,
    fault: ApiFault | undefined,
  ): Promise<ApiReply> => {
    const method = request.method ?? 'GET'
    const { resetCount } = context
    const text = await readBody(request)
    const options = { depth: 20, arrayLimit: 1_000, parameterLimit: 5_000 }
    const raw: Record<string, unknown> = { ...parse(url.search.slice(1), options), ...parse(text, options) }
    entry.params =
      isRecord(raw.card) && raw.card.number
        ? { ...raw, card: { ...raw.card, number: 'hidden', cvc: 'hidden' } }
        : raw
    const found = findRoute(method, url.pathname)
    if (!found)
      throw new ApiError(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${method}: ${url.pathname}).`,
      })
    const publishable = authorize(request, raw, found.route)
    assertVersion(request)
    const plannedError = fault && faultError(fault.kind)
    if (plannedError) throw plannedError

    const key = method === 'POST' ? entry.idempotency_key : null
    const fingerprint = createHash('sha256')
      .update(`${method} ${url.pathname} ${JSON.stringify(raw)}`)
      .digest('hex')
    if (key !== null) {
      const stored = context.store.get('stored_reply', key)
      if (stored) return replayStored(stored, fingerprint)
      if (inFlight.has(key))
        throw new ApiError(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Idempotent Key: ${key}.`,
        })
      inFlight.add(key)
    }
    try {
      if (fault?.kind === 'slow') await faults.delay(fault.ms)
      if (context.resetCount !== resetCount)
        throw new ApiError(
          503,
          { type: 'api_error', message: 'The sandbox was reset during this call.' },
          false,
        )
      context.request = { id: entry.id, idempotency_key: key }
      let result: ApiReply
      let store = true
      try {
        result = execute(found.route, found.id, url.pathname, raw, publishable)
      } catch (error) {
        store = isStored(error)
        result = failure(error, entry.id)
      }
      if (key !== null && store) {
        const stored: StoredReply = {
          object: 'stored_reply',
          id: key,
          created: sandboxTime(context),
          fingerprint,
          status: result.status,
          body: result.body,
        }
        context.store.save(stored)
      }
      return result
    } finally {
      context.request = null
      context.store.flush()
      if (key !== null) inFlight.delete(key)
    }
  }

  const corsHeaders = (request: IncomingMessage, url: URL): Record<string, string> => {
    const origin = request.headers.origin
    const asked =
      request.method === 'OPTIONS'
        ? String(request.headers['access-control-request-method'])
        : String(request.method)
    if (!origin || !appOrigins(context.config.appUrl).includes(origin)) return {}
    if (!findRoute(asked, url.pathname)?.route.publishable) return {}
    return {
      'access-control-allow-origin': origin,
      vary: 'Origin',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
      'access-control-max-age': '600',
    }
  }

  return async function serve(request: IncomingMessage, response: ServerResponse, url: URL) {
    const cors = corsHeaders(request, url)
    if (request.method === 'OPTIONS') return send(response, 204, '', cors)
    const method = request.method ?? 'GET'
    const given = request.headers['idempotency-key']
    const fault = faults.takeFault(method, url.pathname)
    const entry: LogEntry = {
      id: `req_${randomText(14)}`,
      at: new Date().toISOString(),
      method,
      path: url.pathname + url.search,
      idempotency_key: typeof given === 'string' ? given : null,
      params: {},
      status: null,
      error: null,
      replayed: false,
      fault: fault?.kind ?? null,
    }
    log.add(entry)
    response.once('close', onResponseSent)
    if (fault?.kind === 'timeout') {
      await faults.delay(fault.ms)
      return request.socket.destroy()
    }
    if (fault?.kind === 'reset') return request.socket.resetAndDestroy()
    if (fault?.kind === 'garbage')
      return send(response, 200, '<html><body>Bad gateway (sandbox fault)</body></html>', {
        'content-type': 'text/html',
      })
    const result = await reply(request, url, entry, fault).catch(error => failure(error, entry.id))
    entry.status = result.status
    entry.replayed = result.replayed ?? false
    if (result.status >= 400) entry.error = JSON.parse(result.body).error
    if (fault?.kind === 'drop_after_commit') return request.socket.destroy()
    return send(response, result.status, result.body, {
      'content-type': 'application/json',
      'request-id': entry.id,
      'stripe-version': apiVersion,
      ...(entry.idempotency_key !== null && { 'idempotency-key': entry.idempotency_key }),
      ...(result.replayed && { 'idempotent-replayed': 'true' }),
      ...(result.retry !== undefined && { 'stripe-should-retry': String(result.retry) }),
      ...cors,
    })
  }
}
