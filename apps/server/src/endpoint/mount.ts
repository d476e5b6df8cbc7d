import { Readable } from 'node:stream'
import type { Endpoint, EndpointTable, HandlerInput, Page, Reply } from '@plinth/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Actor, AuthedContext, Context, Services } from '../context.ts'
import { pickLocale, translate } from '../lib/i18n.ts'
import { Refusal } from '../lib/refusal.ts'
import { type RateLimiter, rateLimitOf } from '../rate-limit/limiter.ts'
import type { LoginThrottle } from '../rate-limit/login-throttle.ts'
import { networkOf } from '../rate-limit/network.ts'
import type { FindActor } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { browserOf } from './browser.ts'
import { credentialOf } from './credentials.ts'
import { makeDocument, sendDocument } from './document.ts'
import { type Keep, once } from './idempotency.ts'
import { parse } from './input.ts'
import { boundaryOf, readForm, withBooleans } from './multipart.ts'
import { replySchema } from './reply-schema.ts'

type Ctx<E extends Endpoint> = E['needs'] extends 'public' ? Context : AuthedContext
/** A download is sent in pieces as the handler produces them. */
type Result<E extends Endpoint> = E extends { download: string } ? AsyncIterable<string> : Reply<E>
export type Handler<E extends Endpoint> = (ctx: Ctx<E>, input: HandlerInput<E>) => Promise<Result<E>>
export type Handlers<T extends EndpointTable> = { [K in keyof T]: Handler<T[K]> }

/** Parts of a reply beside its data. */
type Extras = { message?: string; page?: Page }
export type Server = {
  app: FastifyInstance
  services: Services
  findActor: FindActor
  limits: RateLimiter
  loginThrottle: LoginThrottle
}

/**
 * Serves an endpoint table: one handler for each endpoint, with the right input and reply, or it does not compile.
 */
export function mount<T extends EndpointTable>(server: Server, table: T, handlers: Handlers<T>) {
  for (const [name, endpoint] of Object.entries(table)) {
    const handler = handlers[name] as unknown as Handler<Endpoint> // as: `handlers` has the same keys as `table`
    server.app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.maxBody ? { bodyLimit: endpoint.maxBody } : {}),
      schema: endpoint.download ? {} : { response: { 200: replySchema(endpoint) } },
      config: { files: endpoint.files === true, ...(endpoint.download ? { deadline: downloadMs } : {}) },
      handler: (request, reply) => serve(server, endpoint, handler, request, reply),
    })
  }
}

/** The steps of a call, in order; the reply's schema serialises the result. */
async function serve(
  server: Server,
  endpoint: Endpoint,
  handler: Handler<Endpoint>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const extras: Extras = {}
  const publicCtx = contextOf(server, request, reply, extras)
  await consumeNetworkLimit(server, endpoint, publicCtx)
  const authed =
    endpoint.needs === 'public' ? null : await authorize(server, publicCtx, endpoint, credentialOf(request))
  if (authed) await consumeUserLimit(server, endpoint, authed)
  const input = await parseInput(endpoint, request)
  const ctx = authed ?? publicCtx
  const handle = () => handler(ctx as AuthedContext, input) // as: authorized above when the endpoint needs a session
  if (endpoint.download) return sendFile(reply, endpoint.download, await handle())
  const run = async (keep?: Keep) => {
    if (keep) ctx.saveIdempotentReply = (tx, data) => keep(tx, { data, ...extras })
    const data = await handle()
    return { data, ...extras }
  }
  if (endpoint.compressed) return sendCompressed(request, reply, await run())
  const key = endpoint.idempotent ? request.headers['idempotency-key'] : undefined
  if (typeof key !== 'string') return run()
  const call = {
    scope: `${idempotencyScope(authed)} ${endpoint.method} ${endpoint.path}`,
    key,
    params: request.body,
    opens: endpoint.opensSession,
  }
  return once(server.services, call, run, reply)
}

async function parseInput(endpoint: Endpoint, request: FastifyRequest): Promise<HandlerInput<Endpoint>> {
  const input: Record<string, unknown> = {}
  if (endpoint.params) input.params = paramsOf(endpoint.params, request)
  if (endpoint.query) input.query = parse(endpoint.query, request.query)
  if (endpoint.body) input.body = parse(endpoint.body, await bodyOf(endpoint, endpoint.body, request))
  return input as HandlerInput<Endpoint> // as: parsed by the endpoint's own schemas
}

/** Idempotency keys of different users, accounts and API keys are independent. */
function idempotencyScope(ctx: AuthedContext | null): string {
  if (!ctx) return 'public'
  const { api_key, user_id, account_id } = ctx.actor
  return api_key?.id ?? `${user_id} ${account_id}`
}

/** The longest that a download may take over a slow connection. */
const downloadMs = 600_000

/** A failure during the download closes the connection, so that no browser keeps a truncated file as complete. */
function sendFile(reply: FastifyReply, type: string, pieces: unknown) {
  return reply
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', 'attachment')
    .send(Readable.from(pieces as AsyncIterable<string>)) // as: what the handler of a download answers
}

function sendCompressed(request: FastifyRequest, reply: FastifyReply, answer: unknown) {
  const document = makeDocument('application/json; charset=utf-8', reply.serialize(answer).toString())
  return sendDocument(request, reply.header('cache-control', 'private, no-cache'), document)
}

/** Multipart bodies are read here, after authorization. */
async function bodyOf({ files }: Endpoint, schema: z.ZodType, request: FastifyRequest): Promise<unknown> {
  const boundary = files ? boundaryOf(request.headers['content-type']) : null
  // A missing body counts as an empty object, so that the refusal names the required fields.
  if (!boundary) return request.body ?? {}
  return withBooleans(await readForm(request, boundary), schema)
}

/** A malformed id is answered with 404, as an unknown one. */
function paramsOf(schema: z.ZodType, { params }: FastifyRequest): unknown {
  const parsed = schema.safeParse(params)
  if (!parsed.success) throw new Refusal('not_found')
  return parsed.data
}

export function contextOf(
  { services, findActor, limits, loginThrottle }: Server,
  request: FastifyRequest,
  reply: FastifyReply,
  extras: Extras,
): Context {
  const locale = pickLocale(request.headers['accept-language'])
  reply.header('content-language', locale)
  let known: Promise<Actor | null> | undefined
  const browser = browserOf(services.config, request, reply)
  const network = networkOf(request.ip)
  return {
    ...services,
    locale,
    t: (key, values) => translate(locale, key, values),
    request: {
      ip: request.ip,
      network,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
      startedAt: services.now(),
    },
    browser,
    flow: browserOf(services.config, request, reply, 'flow'),
    identify() {
      const credential = credentialOf(request)
      // Resolves sessions only; API keys are resolved in authorize().
      known ??= findActor(credential?.kind === 'session' ? credential : null)
      return known
    },
    setMessage(key, values) {
      extras.message = translate(locale, key, values)
    },
    page(page) {
      extras.page = page
    },
    clearStorage() {
      reply.header('clear-site-data', '"storage"')
    },
    async saveIdempotentReply() {},
    consume: limits.consume,
    tryConsume: limits.tryConsume,
    beginLoginAttempt: (email, maxCandidates) =>
      loginThrottle.beginAttempt({
        email,
        network,
        browser: browser.known(),
        maxCandidates,
        now: services.now(),
      }),
  }
}

/** Counted before the session is looked up. */
async function consumeNetworkLimit({ limits }: Server, endpoint: Endpoint, ctx: Context) {
  const limit = endpoint.limit && rateLimitOf[endpoint.limit]
  if (limit?.endsWith(':network')) await limits.consume(limit, ctx.request.network)
}

async function consumeUserLimit({ limits }: Server, endpoint: Endpoint, { actor }: AuthedContext) {
  const limit = endpoint.limit && rateLimitOf[endpoint.limit]
  if (!limit?.endsWith(':user')) return
  // API keys have a limit of their own, so that a program does not use up its owner's calls.
  if (!actor.api_key) await limits.consume(limit, actor.user_id)
}
