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
import { admit } from './authorize.ts'
import { browserOf } from './browser.ts'
import { credentialOf } from './credentials.ts'
import { makeDocument, sendDocument } from './document.ts'
import { type Keep, once } from './idempotency.ts'
import { parse } from './input.ts'
import { boundaryOf, readForm, withBooleans } from './multipart.ts'
import { replySchema } from './reply-schema.ts'

type Ctx<E extends Endpoint> = E['needs'] extends 'public' ? Context : AuthedContext
/** A file comes in pieces, each read when the one before is on its way. */
type Done<E extends Endpoint> = E extends { download: string } ? AsyncIterable<string> : Reply<E>
export type Handler<E extends Endpoint> = (ctx: Ctx<E>, input: HandlerInput<E>) => Promise<Done<E>>
export type Handlers<T extends EndpointTable> = { [K in keyof T]: Handler<T[K]> }

/** What a handler says beside its data. */
type Said = { message?: string; page?: Page }
export type Server = {
  app: FastifyInstance
  services: Services
  findActor: FindActor
  limits: RateLimiter
  loginThrottle: LoginThrottle
}

/**
 * Serves an endpoint table: one handler for each endpoint, with the right input and reply, or it does not compile.
 * Order of a call: limit, session or key, access rules, permission, input, handler, serialiser.
 */
export function mount<T extends EndpointTable>(server: Server, table: T, handlers: Handlers<T>) {
  for (const [name, endpoint] of Object.entries(table)) {
    const handler = handlers[name] as unknown as Handler<Endpoint> // as: the table's key and its handler belong together, which a loop can't show
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

async function serve(
  server: Server,
  endpoint: Endpoint,
  handler: Handler<Endpoint>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const said: Said = {}
  const shown = credentialOf(request)
  const ctx = contextOf(server, request, reply, said)
  if (endpoint.limit) await limitBeforeSignIn(server, endpoint, ctx)
  const guarded = endpoint.needs === 'public' ? ctx : await admit(server, ctx, endpoint, shown)
  if (endpoint.limit && endpoint.needs !== 'public') await limitSignedIn(server, endpoint, guarded)
  const input: Record<string, unknown> = {}
  if (endpoint.params) input.params = paramsOf(endpoint.params, request)
  if (endpoint.query) input.query = parse(endpoint.query, request.query)
  if (endpoint.body) input.body = parse(endpoint.body, await bodyOf(endpoint, endpoint.body, request))
  const run = async (keep?: Keep) => {
    if (keep) guarded.saveIdempotentReply = (tx, data) => keep(tx, { data, ...said })
    const data = await handler(guarded as AuthedContext, input as HandlerInput<Endpoint>) // as: admitted above when the endpoint asks for a session
    return { data, ...said }
  }
  if (endpoint.download)
    return sendFile(
      reply,
      endpoint.download,
      await handler(guarded as AuthedContext, input as HandlerInput<Endpoint>),
    ) // as: admitted above
  if (endpoint.compressed) return sendCompressed(request, reply, await run())
  const key = endpoint.idempotent ? request.headers['idempotency-key'] : undefined
  if (typeof key !== 'string') return run()
  const actor = 'actor' in guarded ? (guarded as AuthedContext).actor : null // as: just checked
  const scope = actor ? (actor.api_key?.id ?? `${actor.user_id} ${actor.account_id}`) : 'public'
  return once(
    server.services,
    {
      scope: `${scope} ${endpoint.method} ${endpoint.path}`,
      key,
      params: request.body,
      opens: endpoint.opensSession,
    },
    run,
    reply,
  )
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

/** Files are read here, once it is known who sends them. */
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

/** What a handler sees of a request. */
export function contextOf(
  { services, findActor, limits, loginThrottle }: Server,
  request: FastifyRequest,
  reply: FastifyReply,
  said: Said,
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
      const shown = credentialOf(request)
      // Whoever asks who somebody is means a person; a key is asked for by the calls that take one.
      known ??= findActor(shown?.kind === 'session' ? shown : null)
      return known
    },
    setMessage(key, values) {
      said.message = translate(locale, key, values)
    },
    page(page) {
      said.page = page
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

/** Limits of a network are counted before the session is looked up; those of a user after it. */
async function limitBeforeSignIn({ limits }: Server, endpoint: Endpoint, ctx: Context) {
  const limit = endpoint.limit && rateLimitOf[endpoint.limit]
  if (limit?.endsWith(':network')) await limits.consume(limit, ctx.request.network)
}

async function limitSignedIn({ limits }: Server, endpoint: Endpoint, ctx: Context) {
  const limit = endpoint.limit && rateLimitOf[endpoint.limit]
  if (!limit?.endsWith(':user') || !('actor' in ctx)) return
  const { actor } = ctx as AuthedContext // as: just checked
  // API keys have a limit of their own, so that a program does not use up its owner's calls.
  if (!actor.api_key) await limits.consume(limit, actor.user_id)
}
