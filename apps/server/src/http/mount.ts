import type { Endpoint, EndpointTable, Received, Reply } from '@plinth/contract'
import { reaches, stageOf } from '@plinth/contract/access'
import { isPlanId, type PlanId, planIds, planOf } from '@plinth/contract/plans'
import { grants } from '@plinth/contract/roles'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Context, SignedIn, World } from '../context.ts'
import type { Db } from '../db/open.ts'
import { pickLocale, translate } from '../lib/i18n.ts'
import { Refusal } from '../lib/refusal.ts'
import { bearerToken, findActor } from './authenticate.ts'
import { type Keep, once } from './idempotency.ts'
import { parse } from './input.ts'
import { budgetOf, isBudget, type Limits, networkOf } from './limits.ts'
import { replySchema } from './reply-schema.ts'

type Ctx<E extends Endpoint> = E['needs'] extends 'public' ? Context : SignedIn
export type Handler<E extends Endpoint> = (ctx: Ctx<E>, input: Received<E>) => Promise<Reply<E>>
export type Handlers<T extends EndpointTable> = { [K in keyof T]: Handler<T[K]> }

export type Server = { app: FastifyInstance; world: World; db: Db; limits: Limits }

/**
 * Serves an endpoint table: one handler for each endpoint, with the right input and reply, or it does not compile.
 * Order of a call: limit, session, access rules, permission, input, handler, serialiser.
 */
export function mount<T extends EndpointTable>(server: Server, table: T, handlers: Handlers<T>) {
  for (const [name, endpoint] of Object.entries(table)) {
    const handler = handlers[name] as unknown as Handler<Endpoint> // as: the table's key and its handler belong together, which a loop can't show
    server.app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: { response: { 200: replySchema(endpoint.reply) } },
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
  const said: { message?: string } = {}
  const ctx = contextOf(server, request, said)
  if (endpoint.limit) await spendFirst(server, endpoint, ctx)
  const guarded = endpoint.needs === 'public' ? ctx : await admit(ctx, endpoint)
  if (endpoint.limit && endpoint.needs !== 'public') await spendSigned(server, endpoint, guarded)
  const input: Record<string, unknown> = {}
  if (endpoint.params) input.params = parse(endpoint.params, request.params, ctx.locale)
  if (endpoint.query) input.query = parse(endpoint.query, request.query, ctx.locale)
  if (endpoint.body) input.body = parse(endpoint.body, request.body ?? undefined, ctx.locale)
  const run = async (keep?: Keep) => {
    if (keep) guarded.keep = (tx, data) => keep(tx, { data, ...said })
    const data = await handler(guarded as SignedIn, input as Received<Endpoint>) // as: admitted above when the endpoint asks for a session
    return { data, ...said }
  }
  const key = endpoint.idempotent ? request.headers['idempotency-key'] : undefined
  if (typeof key !== 'string') return run()
  const actor = 'actor' in guarded ? (guarded as SignedIn).actor : null // as: just checked
  const scope = actor ? `${actor.user_id} ${actor.account_id}` : 'public'
  return once(
    server.world,
    { scope: `${scope} ${endpoint.method} ${endpoint.path}`, key, params: request.body },
    run,
    reply,
  )
}

function contextOf(
  { db, world, limits }: Server,
  request: FastifyRequest,
  said: { message?: string },
): Context {
  const locale = pickLocale(request.headers['accept-language'])
  let known: Promise<Actor | null> | undefined
  return {
    ...world,
    locale,
    t: (key, values) => translate(locale, key, values),
    request: {
      id: request.id,
      ip: request.ip,
      network: networkOf(request.ip),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    },
    identify() {
      known ??= findActor(db, bearerToken(request), world.now())
      return known
    },
    say(key, values) {
      said.message = translate(locale, key, values)
    },
    async keep() {},
    async spend(budget, subject) {
      if (!isBudget(budget)) throw new Error(`No budget ${budget}`)
      await limits.spend(budget, subject)
    },
  }
}

async function admit(ctx: Context, endpoint: Endpoint): Promise<SignedIn> {
  const actor = await ctx.identify()
  if (!actor) throw new Refusal('session_required')
  if (endpoint.needs !== 'public' && !grants(actor.permission, endpoint.needs))
    throw new Refusal('permission_required')
  const stage = stageOf(actor)
  if (!reaches(stage, endpoint.stage ?? 'active')) {
    if (stage === 'session') throw new Refusal('verification_required')
    if (stage === 'verified') throw new Refusal('plan_required', { plan: planToBuy(null) })
    throw new Refusal('subscription_inactive', { plan: planToBuy(actor.plan) })
  }
  return { ...ctx, actor, within: run => ctx.withinAccount(actor.account_id, run) }
}

const costs = (id: PlanId) => planOf(id).price > 0

/** The plan that a 402 offers: the one they have if it costs something, else the first that does (T-64). */
const planToBuy = (plan: string | null): PlanId | undefined =>
  isPlanId(plan) && costs(plan) ? plan : planIds.find(costs)

/** Budgets of a network are spent before anything is looked up; those of a user need to know who it is. */
async function spendFirst({ limits }: Server, endpoint: Endpoint, ctx: Context) {
  const budget = endpoint.limit && budgetOf[endpoint.limit]
  if (budget?.endsWith(':network')) await limits.spend(budget, ctx.request.network)
}

async function spendSigned({ limits }: Server, endpoint: Endpoint, ctx: Context) {
  const budget = endpoint.limit && budgetOf[endpoint.limit]
  if (budget?.endsWith(':user') && 'actor' in ctx) await limits.spend(budget, (ctx as SignedIn).actor.user_id) // as: just checked
}
