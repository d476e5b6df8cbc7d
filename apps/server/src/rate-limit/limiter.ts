import type { RateLimitName } from '@plinth/contract'
import { RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from '../db/pool.ts'
import { hashToken } from '../lib/crypto.ts'
import { invariant } from '../lib/invariant.ts'
import { mailboxOf } from '../lib/mailbox.ts'
import { inTime, type RedisClient } from '../lib/redis.ts'
import { Refusal, tooMany } from '../lib/refusal.ts'
import { type RateLimitKey, rateLimits } from './limits.ts'

/** The rate limit of an endpoint. */
export const rateLimitOf: Record<RateLimitName, RateLimitKey | null> = {
  // The login throttle counts failures, once the address is parsed.
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

export type RateLimiter = {
  /** Throws a refusal when the limit is exceeded. */
  consume(name: RateLimitKey, subject: string): Promise<void>
  /** Returns false when the limit is exceeded, for calls whose reply must not show it. */
  tryConsume(name: RateLimitKey, subject: string): Promise<boolean>
}

type Store = { db: Pick<Db, 'query'>; redis: RedisClient | null }

/**
 * Counters shared by all instances, in Redis if configured, otherwise in the database. When a counter can't be read the
 * call is refused. Subjects are hashed: the counters hold no addresses.
 * @param factor multiplies every limit; above 1 only in tests
 */
export function makeRateLimiter(store: Store, factor: number): RateLimiter {
  const withTimeout = store.redis ? inTime : <T>(counting: Promise<T>) => counting
  const limiters = new Map(
    Object.entries(rateLimits).map(([name, { points, seconds }]) => [
      name,
      makeLimiter(store, { keyPrefix: name, points: Math.floor(points * factor), duration: seconds }),
    ]),
  )

  /** Returns null, or the milliseconds to wait when the limit is exceeded. */
  async function count(name: RateLimitKey, subject: string): Promise<number | null> {
    const limiter = invariant(limiters.get(name), `the rate limit ${name}`)
    const counted = name.endsWith(':address') ? mailboxOf(subject) : subject
    try {
      await withTimeout(limiter.consume(hashToken(counted).toString('base64url')))
      return null
    } catch (error) {
      if (error instanceof RateLimiterRes) return error.msBeforeNext
      throw new Refusal('busy', { retryAfter: 2 }, error)
    }
  }

  return {
    async consume(name, subject) {
      const wait = await count(name, subject)
      if (wait !== null) throw tooMany(wait / 1000)
    },
    async tryConsume(name, subject) {
      return (await count(name, subject)) === null
    },
  }
}

function makeLimiter({ db, redis }: Store, options: { keyPrefix: string; points: number; duration: number }) {
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
