import type { Db } from '../db/pool.ts'
import { hashToken } from '../lib/crypto.ts'
import { invariant } from '../lib/invariant.ts'
import { mailboxOf } from '../lib/mailbox.ts'
import { Refusal, tooMany } from '../lib/refusal.ts'
import {
  globalLoginLimit,
  type LoginLimitName,
  loginLimits,
  longestPauseSeconds,
  rateLimits,
  warnOwnerAfter,
} from './limits.ts'

export type SignInCandidate = { id: string; password_hash: string | null; verified: boolean }

/** A started attempt. It counts as failed until `cancel` or `succeed` is called. */
export type LoginAttempt = {
  /** The users of the address: the verified one first, then the newest unverified ones. */
  candidates: SignInCandidate[]
  /** True once, when this failure is the one after which the owner gets a mail. */
  warnsOwner: boolean
  /** The password was not checked: takes the attempt back. */
  cancel(): Promise<void>
  /** The password was right: also clears the client's own failures. Refuses when the user signs in too often. */
  succeed(userId: string): Promise<void>
}

export type LoginThrottle = {
  /** Refuses during a pause, for known and unknown addresses alike. */
  beginAttempt(login: {
    email: string
    network: string
    /** Hash of the browser's cookie. */
    browser: Buffer | null
    maxCandidates: number
    now: Date
  }): Promise<LoginAttempt>
}

/**
 * Slows down password guessing (docs/decisions/0063). Counted in the database in the same statement that finds the
 * users, because the limits depend on whether one of them has signed in with this browser.
 * @param factor multiplies every limit; above 1 only in tests
 */
export function makeLoginThrottle(db: Pick<Db, 'query'>, factor: number): LoginThrottle {
  function limitOf(name: LoginLimitName, subject: string) {
    const { free, freeUnderAttack, seconds, graceSeconds } = loginLimits[name]
    return {
      key: keyOf(name, subject),
      free: free * factor,
      free_under_attack: freeUnderAttack * factor,
      seconds,
      grace: graceSeconds,
    }
  }
  const globalLimit = {
    key: globalLoginLimit.name,
    seconds: globalLoginLimit.seconds,
    attack_above: globalLoginLimit.failures * factor,
  }
  const userLimitOf = (userId: string) => ({
    key: keyOf('sign_in:user', userId),
    seconds: rateLimits['sign_in:user'].seconds,
    points: rateLimits['sign_in:user'].points * factor,
  })

  return {
    async beginAttempt({ email, network, browser, maxCandidates, now }) {
      const address = mailboxOf(email)
      const ofBrowser = limitOf(
        'sign_in:address_browser',
        `${address} ${browser?.toString('base64url') ?? ''}`,
      )
      const ofAddressAndNetwork = limitOf('sign_in:address_network', `${address} ${network}`)
      const ofAddress = limitOf('sign_in:address', address)
      const throttle = {
        known: [ofBrowser],
        unknown: [ofAddressAndNetwork, ofAddress, limitOf('sign_in:network', network), globalLimit],
        longest: longestPauseSeconds,
      }
      const begun = await callFunction<
        { wait: number } | { candidates: SignInCandidate[]; failures: Record<string, number> }
      >(db, 'begin_login_attempt', [email, maxCandidates, browser, now, JSON.stringify(throttle)])
      if ('wait' in begun) throw tooMany(begun.wait)

      const keys = Object.keys(begun.failures)
      const own = ofBrowser.key in begun.failures ? ofBrowser.key : ofAddressAndNetwork.key
      async function cancel() {
        await callFunction(db, 'release_login_attempt', [keys, null, now, null])
      }
      return {
        candidates: begun.candidates,
        warnsOwner: begun.failures[ofAddress.key] === warnOwnerAfter * factor,
        cancel,
        async succeed(userId) {
          const values = [keys, own, now, JSON.stringify(userLimitOf(userId))]
          const wait = await callFunction<number | null>(db, 'release_login_attempt', values).catch(
            async error => {
              await cancel().catch(() => {}) // The first error is reported.
              throw error
            },
          )
          if (wait !== null) throw tooMany(wait)
        },
      }
    },
  }
}

const keyOf = (name: string, subject: string) => `${name}:${hashToken(subject).toString('base64url')}`

/** Refuses the call when the database can't count it. */
async function callFunction<T>(db: Pick<Db, 'query'>, name: string, values: unknown[]): Promise<T> {
  const parameters = values.map((_, n) => `$${n + 1}`).join(', ')
  try {
    const { rows } = await db.query<{ value: T }>({
      name,
      text: `select ${name}(${parameters}) as value`,
      values,
    })
    return invariant(rows[0], `the result of ${name}`).value
  } catch (error) {
    throw new Refusal('busy', { retryAfter: 2 }, error)
  }
}
