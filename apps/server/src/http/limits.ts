import type { Limit } from '@plinth/contract'
import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { hashToken } from '../lib/crypto.ts'
import { Refusal } from '../lib/refusal.ts'

type Budget = { points: number; seconds: number }

/** How many calls a subject (a network, an address, a user) may make in a time. All limits in one table. */
const budgets = {
  'sign_in:network': { points: 60, seconds: 300 },
  'sign_in:address': { points: 20, seconds: 900 },
  'sign_up:network': { points: 30, seconds: 3600 },
  'sign_up:address': { points: 5, seconds: 3600 },
  'mail:network': { points: 30, seconds: 3600 },
  'mail:address': { points: 5, seconds: 3600 },
  'token:network': { points: 60, seconds: 600 },
  'billing:user': { points: 30, seconds: 600 },
  'write:user': { points: 600, seconds: 600 },
  'report:network': { points: 60, seconds: 600 },
  'invite:user': { points: 60, seconds: 3600 },
} as const satisfies Record<string, Budget>

export type BudgetName = keyof typeof budgets
export const isBudget = (name: string): name is BudgetName => name in budgets

/** The budget that an endpoint's limit draws on before anything else happens. */
export const budgetOf: Record<Limit, BudgetName> = {
  sign_in: 'sign_in:network',
  sign_up: 'sign_up:network',
  mail: 'mail:network',
  token: 'token:network',
  billing: 'billing:user',
  write: 'write:user',
  invite: 'invite:user',
}

export type Limits = { spend(name: BudgetName, subject: string): Promise<void> }

/**
 * Counters in the database, shared by all instances. If they can't be read the call is refused: a limiter that
 * fails open is none (T-79). A subject is counted under its hash: its length does not matter, and no table of addresses
 * comes about.
 * @param factor multiplies every budget; only above 1 in load tests
 */
export function openLimits(pool: Pool, factor: number): Limits {
  const limiters = new Map(
    Object.entries(budgets).map(([name, budget]) => [
      name,
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points: Math.floor(budget.points * factor),
        duration: budget.seconds,
      }),
    ]),
  )
  return {
    async spend(name, subject) {
      try {
        await limiters.get(name)?.consume(hashToken(subject).toString('base64url'))
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw new Refusal('busy', { retryAfter: 2 }, error)
        throw new Refusal('too_many_requests', {
          retryAfter: Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
        })
      }
    },
  }
}

/** Addresses that one visitor can hold at will count as one: IPv4 as it is, IPv6 by its /64. */
export function networkOf(ip: string): string {
  const plain = ip.replace(/^::ffff:/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map(group => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`
}
