import type { Actor } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { actorOf, type SessionFound } from '../db/session-actor.ts'
import { assertOutsideTransaction } from '../db/transaction.ts'
import { hashToken } from '../lib/crypto.ts'
import { batched } from '../runtime/batch.ts'
import { recordRequest } from '../runtime/load.ts'
import { type Credential, isWhole } from './credentials.ts'

/** One JSON value with a result for each hash, in order: parsing one value is cheaper than rows and columns. */
const statements = {
  session: { name: 'find_sessions', text: 'select find_sessions($1, $2) as found' },
  key: {
    name: 'find_api_keys',
    text: 'select json_agg(find_api_key(hash, $2) order by n) as found from unnest($1::bytea[]) with ordinality as asked (hash, n)',
  },
}
/** More than one lane, so that a slow connection does not delay all look-ups. */
const together = { lanes: 3, most: 64, patienceMs: 10 }
/** last_used_at is written at most this often, not with every call. */
const touchAfterMs = 5 * 60_000
/** The same as a fraction of the session's idle time, for short idle times. */
const touchAfterPart = 1 / 15
/** The same for API keys. */
const touchKeyAfterMs = 60_000

/** Returns null for an expired or unknown credential. */
export type FindActor = (credential: Credential | null) => Promise<Actor | null>

/**
 * Resolves sessions and API keys. Parallel calls share a query, which starts after the calls: a session that was ended
 * before is not found.
 */
export function openAuthentication(db: Db, now: () => Date): FindActor {
  const lookUp = (kind: Credential['kind']) =>
    batched<Buffer, Actor | null>(together, async hashes => {
      const { rows } = await db.query<{ found: SessionFound['found'][] }>({
        ...statements[kind],
        // The driver would write it with this machine's offset, part by part.
        values: [hashes, now().toISOString()],
      })
      return (rows[0]?.found ?? []).map(found => actorOf({ found }))
    })
  const find = { session: lookUp('session'), key: lookUp('key') }
  /** Updates the last use of many keys in one statement. */
  const touchKey = batched<string, null>({ ...together, lanes: 1, most: 1000 }, async ids => {
    await db.query('select touch_api_keys($1, $2)', [[...new Set(ids)], now()])
    return ids.map(() => null)
  })

  async function touch(actor: Actor, hash: Buffer, at: Date) {
    const since = at.getTime() - actor.last_used_at.getTime()
    if (actor.api_key) {
      if (since > touchKeyAfterMs) await touchKey(actor.api_key.id)
    } else if (since > Math.min(touchAfterMs, actor.idle_seconds * 1000 * touchAfterPart))
      await db.query('select touch_session($1, $2)', [hash, at])
  }

  return async credential => {
    if (!credential || !isWhole(credential)) return null
    assertOutsideTransaction('authenticate')
    const hash = hashToken(credential.secret)
    const at = now()
    const actor = await find[credential.kind](hash)
    if (actor) {
      recordRequest()
      await touch(actor, hash, at)
    }
    return actor
  }
}
