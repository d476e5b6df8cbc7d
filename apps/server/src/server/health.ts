import { timingSafeEqual } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import { hashToken } from '../lib/crypto.ts'
import { Refusal } from '../lib/refusal.ts'

/** How long the database may take to say that it is there. */
const patienceMs = 2500

export type Readiness = { draining: boolean }

/**
 * /live: the process answers. /ready: it may be given traffic. /metrics: for Prometheus, with the token;
 * outside production also from loopback. In production a proxy on the same machine would make it public.
 * @returns where other counters join in
 */
export function health(
  app: FastifyInstance,
  options: { db: Db; readiness: Readiness; metricsToken: string | null; metricsOnLoopback: boolean },
): Registry {
  const registry = new Registry()
  ofProcess()
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of answers by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    durations.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
    done()
  })

  app.get('/live', async () => ({ live: true }))
  app.get('/ready', async (_request, reply) => {
    if (options.readiness.draining) return reply.code(503).send({ ready: false })
    const asked = options.db.query('select 1').then(
      () => true,
      () => false,
    )
    // A database behind a dead network never answers, and a balancer must not wait for it.
    const ok = await Promise.race([asked, wait(patienceMs, false, { ref: false })])
    return reply.code(ok ? 200 : 503).send({ ready: ok })
  })
  app.get('/metrics', async (request, reply) => {
    const near =
      options.metricsOnLoopback &&
      /^(::ffff:)?127\.|^::1$/.test(request.ip) &&
      !request.headers['x-forwarded-for']
    if (!near && !isToken(request.headers.authorization, options.metricsToken)) throw new Refusal('not_found')
    const all = Registry.merge([ofProcess(), registry])
    return reply.type(all.contentType).send(await all.metrics())
  })
  return registry
}

let processRegistry: Registry | undefined

/** Memory, event loop and the like. They are watched once a process, for what watches them is never let go. */
function ofProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry })
  }
  return processRegistry
}

function isToken(header: string | undefined, token: string | null): boolean {
  if (!token || !header) return false
  return timingSafeEqual(hashToken(header), hashToken(`Bearer ${token}`))
}
