import type { Pool } from 'pg'
import type { Try } from '../context.ts'
import { hashToken } from '../lib/crypto.ts'
import { mailboxOf } from '../lib/mailbox.ts'
import type { RedisClient } from '../lib/redis.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Braked } from './brake-store.ts'
import { brakesInDatabase } from './brakes-database.ts'
import { brakesInRedis } from './brakes-redis.ts'
import { brakes, budgets, crowd, warnAfter } from './budgets.ts'

/** A try at the password of an address. `browser`: the one that asks, if the owner of the address has used it before. */
export type Guess = { now: Date; email: string; network: string; browser: Buffer | null }
export type Brakes = {
  /** Begins a try, or refuses it with the seconds to wait. Known and unknown addresses are treated alike (T-10). */
  brake(guess: Guess): Promise<Try>
}

/**
 * Counts failed tries: one key for the own (address and browser, or address and network), and for unknown browsers one
 * for the address and one for the network. A try counts from its start, so that many at once are not one (T-11).
 */
export function openBrakes(where: { pool: Pool; redis: RedisClient | null }, factor: number): Brakes {
  const store = where.redis ? brakesInRedis(where.redis) : brakesInDatabase(where.pool)
  const crowdKey = { key: crowd.name, free: crowd.free * factor }

  return {
    async brake({ now, email, network, browser }) {
      const address = mailboxOf(email)
      const braked = (name: keyof typeof brakes, subject: string): Braked => {
        const { free, tight, seconds } = brakes[name]
        return { key: keyOf(name, subject), free: free * factor, tight: tight * factor, seconds }
      }
      const own = browser
        ? braked('sign_in:address_browser', `${address} ${browser.toString('base64url')}`)
        : braked('sign_in:address_network', `${address} ${network}`)
      const ofAddress = braked('sign_in:address', address)
      const all = browser ? [own] : [own, ofAddress, braked('sign_in:network', network)]
      const keys = all.map(({ key }) => key)

      const taken = await orRefuse(store.take(now, all, crowdKey, browser ? null : ofAddress.key))
      if ('wait' in taken) throw refusal(taken.wait)
      const held = keys.filter(key => taken.counts[key]?.held)
      return {
        async failed() {
          await orRefuse(store.fail(now, keys, browser ? null : crowdKey.key))
          return taken.counts[ofAddress.key]?.failures === warnAfter * factor
        },
        async succeeded(userId) {
          const { points, seconds } = budgets['sign_in:user']
          const budget = { key: keyOf('sign_in:user', userId), seconds }
          const drawn = await orRefuse(store.releaseAndDraw(now, keys, held, own.key, budget))
          if (drawn.points > points * factor) throw refusal(drawn.wait / 1000)
        },
        dropped: () => orRefuse(store.release(keys, held, null)),
      }
    },
  }
}

const keyOf = (name: string, subject: string) => `${name}:${hashToken(subject).toString('base64url')}`

const refusal = (seconds: number) =>
  new Refusal('too_many_requests', { retryAfter: Math.max(1, Math.ceil(seconds)) })

/** What can't be counted is not let through. */
async function orRefuse<T>(counting: Promise<T>): Promise<T> {
  try {
    return await counting
  } catch (error) {
    throw new Refusal('busy', { retryAfter: 2 }, error)
  }
}
