import { Readable } from 'node:stream'
import type { Endpoint, EndpointTable, HandlerInput, Page, Reply } from '@plinth/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Actor, AuthedContext, Context, Services } from '../context.ts'
import { pickLocale, translate } from '../lib/i18n.ts'
import { Refusal } from '../lib/refusal.ts'
import { budgetOf, type Limits } from '../rate-limit/limiter.ts'
import { type BudgetName, isBudget } from '../rate-limit/limits.ts'
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
export type Server = { app: FastifyInstance; services: Services; findActor: FindActor; limits: Limits }

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
  { services, findActor, limits }: Server,
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
    async consume(budget, subject) {
      await limits.consume(named(budget), subject)
    },
    async tryConsume(budget, subject) {
      return limits.tryConsume(named(budget), subject)
    },
    tryPassword: (email, most) =>
      limits.tryPassword({ email, most, now: services.now(), network, browser: browser.known() }),
  }
}

function named(budget: string): BudgetName {
  if (!isBudget(budget)) throw new Error(`No budget ${budget}`)
  return budget
}

/** Budgets of a network are spent before anything is looked up; those of a user need to know who it is. */
async function limitBeforeSignIn({ limits }: Server, endpoint: Endpoint, ctx: Context) {
  const budget = endpoint.limit && budgetOf[endpoint.limit]
  if (budget?.endsWith(':network')) await limits.consume(budget, ctx.request.network)
}

async function limitSignedIn({ limits }: Server, endpoint: Endpoint, ctx: Context) {
  const budget = endpoint.limit && budgetOf[endpoint.limit]
  if (!budget?.endsWith(':user') || !('actor' in ctx)) return
  const { actor } = ctx as AuthedContext // as: just checked
  // A key has a budget of its own: a program that runs wild leaves its maker's clicks alone.
  if (!actor.api_key) await limits.consume(budget, actor.user_id)
}
