import type { RateLimitName } from '@plinth/contract'
import { RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from '../db/open.ts'
import { hashToken } from '../lib/crypto.ts'
import { invariant } from '../lib/invariant.ts'
import { mailboxOf } from '../lib/mailbox.ts'
import { inTime, type RedisClient } from '../lib/redis.ts'
import { Refusal, tooMany } from '../lib/refusal.ts'
import { type BudgetName, budgets } from './limits.ts'
import { type Brakes, openBrakes } from './login-throttle.ts'

/** The budget that an endpoint's limit draws on before anything else happens. */
export const budgetOf: Record<RateLimitName, BudgetName | null> = {
  // Counts failures alone, and only once it knows whose they are: the service brakes.
  password: null,
  sign_in: 'sign_in:network',
  sign_up: 'sign_up:network',
  mail: 'mail:network',
  token: 'token:network',
  otp: 'otp:network',
  passkey: 'passkey:network',
  billing: 'billing:user',
  preview: 'preview:user',
  write: 'write:user',
  invite: 'invite:user',
  sso: 'sso:network',
  export: 'export:user',
}

export type Limits = Brakes & {
  /** Refuses when the budget is used up. */
  consume(name: BudgetName, subject: string): Promise<void>
  /** The same for callers that must not show it: false when it is used up. */
  tryConsume(name: BudgetName, subject: string): Promise<boolean>
}

/**
 * Counters shared by all instances: in the database, or in Redis where there is one. If they can't be read the call is
 * refused: a limiter that fails open is none (T-79). A subject is counted under its hash: its length does not matter,
 * and no table of addresses comes about.
 * @param factor multiplies every budget; only above 1 in tests
 */
export function openLimits(
  store: { db: Pick<Db, 'query'>; redis: RedisClient | null },
  factor: number,
): Limits {
  const within = store.redis ? inTime : <T>(counting: Promise<T>) => counting
  const limiters = new Map(
    Object.entries(budgets).map(([name, budget]) => [
      name,
      limiter(store, {
        keyPrefix: name,
        points: Math.floor(budget.points * factor),
        duration: budget.seconds,
      }),
    ]),
  )
  const limiterOf = (name: BudgetName) => invariant(limiters.get(name), `the budget ${name}`)
  /** Null when there was enough, else the milliseconds until there is again. */
  async function consume(name: BudgetName, subject: string): Promise<number | null> {
    const counted = name.endsWith(':address') ? mailboxOf(subject) : subject
    try {
      await within(limiterOf(name).consume(hashToken(counted).toString('base64url')))
      return null
    } catch (error) {
      if (error instanceof RateLimiterRes) return error.msBeforeNext
      throw new Refusal('busy', { retryAfter: 2 }, error)
    }
  }
  return {
    ...openBrakes(store, factor),
    async consume(name, subject) {
      const wait = await consume(name, subject)
      if (wait !== null) throw tooMany(wait / 1000)
    },
    async tryConsume(name, subject) {
      return (await consume(name, subject)) === null
    },
  }
}

type Options = { keyPrefix: string; points: number; duration: number }

function limiter({ db, redis }: { db: Pick<Db, 'query'>; redis: RedisClient | null }, options: Options) {
  if (redis) return new RateLimiterRedis({ ...options, storeClient: redis, useRedisPackage: true })
  return new RateLimiterPostgres({
    ...options,
    storeClient: db,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  })
}
