import type { Db } from '../db/open.ts'
import { invariant } from '../lib/invariant.ts'
import { crowd, freshPauseSeconds, holdSeconds, longestPauseSeconds } from './limits.ts'
import type { Begun, BrakeStore, Guess } from './login-throttle-store.ts'

/** By functions of the database: one round trip each, outside of any transaction; the end of a right try is none. */
export function brakesInDatabase(db: Pick<Db, 'query'>): BrakeStore {
  return {
    async begin({ now, email, most, browser }, keys, { key, free }, shared) {
      const { rows } = await db.query<{ begun: Begun }>({
        name: 'try_password',
        text: tryPassword,
        values: [
          email,
          most,
          browser,
          now,
          keys.map(braked => braked.key),
          keys.map(braked => braked.free),
          keys.map(braked => braked.tight),
          keys.map(braked => braked.seconds),
          holdSeconds,
          key,
          free,
          shared,
        ],
      })
      return invariant(rows[0], 'what try_password answers').begun
    },
    async fail(now, keys, crowdKey) {
      await db.query({
        name: 'fail_brakes',
        text: 'select fail_brakes($1, $2, $3, $4, $5, $6)',
        values: [now, keys, longestPauseSeconds, freshPauseSeconds, crowdKey, crowd.seconds],
      })
    },
    async release(keys, held) {
      await db.query({
        name: 'release_brakes',
        text: 'select release_brakes($1, $2, $3)',
        values: [keys, held, null],
      })
    },
    succeed: null,
  }
}

const tryPassword = 'select try_password($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as begun'

/** Whom an address may sign in, when the try is counted elsewhere. */
export async function findCandidates(
  db: Pick<Db, 'query'>,
  { email, most, browser, now }: Omit<Guess, 'network'>,
) {
  const { rows } = await db.query<{ begun: Omit<Begun, 'taken'> }>({
    name: 'try_password',
    text: tryPassword,
    values: [email, most, browser, now, null, null, null, null, null, null, null, null],
  })
  return invariant(rows[0], 'what try_password answers').begun
}
