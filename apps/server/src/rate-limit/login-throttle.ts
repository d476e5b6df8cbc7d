import type { Try } from '../context.ts'
import type { Db } from '../db/open.ts'
import { hashToken } from '../lib/crypto.ts'
import { invariant } from '../lib/invariant.ts'
import { mailboxOf } from '../lib/mailbox.ts'
import type { RedisClient } from '../lib/redis.ts'
import { Refusal, tooMany } from '../lib/refusal.ts'
import { brakes, budgets, crowd, warnAfter } from './limits.ts'
import { brakesInDatabase } from './login-throttle-database.ts'
import { brakesInRedis } from './login-throttle-redis.ts'
import type { Braked, Guess } from './login-throttle-store.ts'

export type Brakes = {
  /** Begins a try, or refuses it with the seconds to wait. Known and unknown addresses are treated alike (T-10). */
  tryPassword(guess: Guess): Promise<Try>
}

/**
 * Counts failed tries: one key for the own (address and browser, or address and network), and for unknown browsers one
 * for the address and one for the network. A try counts from its start, so that many at once are not one (T-11).
 */
export function openBrakes(
  where: { db: Pick<Db, 'query'>; redis: RedisClient | null },
  factor: number,
): Brakes {
  const store = where.redis ? brakesInRedis(where.redis, where.db) : brakesInDatabase(where.db)
  const crowdKey = { key: crowd.name, free: crowd.free * factor }

  return {
    async tryPassword(guess) {
      const { now, email, network, browser } = guess
      const address = mailboxOf(email)
      const braked = (name: keyof typeof brakes, subject: string): Braked => {
        const { free, tight, seconds } = brakes[name]
        return { key: keyOf(name, subject), free: free * factor, tight: tight * factor, seconds }
      }
      const known = braked('sign_in:address_browser', `${address} ${browser?.toString('base64url') ?? ''}`)
      const ofAddress = braked('sign_in:address', address)
      const unknown = [
        braked('sign_in:address_network', `${address} ${network}`),
        ofAddress,
        braked('sign_in:network', network),
      ]

      const { candidates, knows_browser, taken } = await orRefuse(
        store.begin(guess, [known, ...unknown], crowdKey, ofAddress.key),
      )
      if ('wait' in taken) throw tooMany(taken.wait)
      const keys = (knows_browser ? [known] : unknown).map(({ key }) => key)
      const held = keys.filter(key => taken.counts[key]?.held)
      const cleared = invariant(keys[0], 'the own key of a try')
      const dropped = () => orRefuse(store.release(keys, held))
      return {
        candidates,
        async failed() {
          await orRefuse(store.fail(now, keys, knows_browser ? null : crowdKey.key))
          return taken.counts[ofAddress.key]?.failures === warnAfter * factor
        },
        async succeeded(userId) {
          const { points, seconds } = budgets['sign_in:user']
          const budget = { key: keyOf('sign_in:user', userId), seconds, points: Math.floor(points * factor) }
          if (!store.succeed) return { keys, held, cleared, budget, dropped }
          const drawn = await orRefuse(store.succeed(now, keys, held, cleared, budget))
          if (drawn.points > budget.points) throw tooMany(drawn.wait / 1000)
          return null
        },
        dropped,
      }
    },
  }
}

const keyOf = (name: string, subject: string) => `${name}:${hashToken(subject).toString('base64url')}`

/** What can't be counted is not let through. */
async function orRefuse<T>(counting: Promise<T>): Promise<T> {
  try {
    return await counting
  } catch (error) {
    throw new Refusal('busy', { retryAfter: 2 }, error)
  }
}
