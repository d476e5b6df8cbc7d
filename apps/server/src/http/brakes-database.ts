import type { Pool } from 'pg'
import { must } from '../lib/must.ts'
import type { BrakeStore, Drawn, Taken } from './brake-store.ts'
import { crowd, freshPauseSeconds, holdSeconds, longestPauseSeconds } from './budgets.ts'

/** By functions of the database: one round trip each, outside of any transaction. */
export function brakesInDatabase(pool: Pool): BrakeStore {
  return {
    async take(now, keys, { key, free }, shared) {
      const { rows } = await pool.query<{ taken: Taken }>({
        name: 'take_brakes',
        text: 'select take_brakes($1, $2, $3, $4, $5, $6, $7, $8, $9) as taken',
        values: [
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
      return must(rows[0], 'what take_brakes answers').taken
    },
    async fail(now, keys, crowdKey) {
      await pool.query({
        name: 'fail_brakes',
        text: 'select fail_brakes($1, $2, $3, $4, $5, $6)',
        values: [now, keys, longestPauseSeconds, freshPauseSeconds, crowdKey, crowd.seconds],
      })
    },
    async release(keys, held, cleared) {
      await pool.query({
        name: 'release_brakes',
        text: 'select release_brakes($1, $2, $3)',
        values: [keys, held, cleared],
      })
    },
    async releaseAndDraw(now, keys, held, cleared, { key, seconds }) {
      const { rows } = await pool.query<{ drawn: Drawn }>({
        name: 'release_brakes_and_draw',
        text: 'select release_brakes($1, $2, $3, $4, $5, $6) as drawn',
        values: [now, keys, held, cleared, key, seconds],
      })
      return must(rows[0], 'what release_brakes answers').drawn
    },
  }
}
