import type { FastifyRequest } from 'fastify'
import type { Actor } from '../context.ts'
import { actorOf, findSession, type SessionFound } from '../db/find-session.ts'
import { assertOutsideTransaction, type Db } from '../db/open.ts'
import { hashToken } from '../lib/crypto.ts'

const statement = { name: 'find_session', text: findSession }
/** last_used_at is written at most this often: a session's idle end moves in steps, not with every click. */
const touchAfterMs = 5 * 60_000

/** The bearer token of a request, or null when there is none or it can't be one. */
export function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  const match = header && header.length < 600 ? /^Bearer ([\w-]{20,200})$/i.exec(header) : null
  return match?.[1] ?? null
}

/** Looks a session token up: one prepared statement, one round trip. Null for a dead or unknown one. */
export async function findActor(db: Db, token: string | null, now: Date): Promise<Actor | null> {
  if (!token) return null
  assertOutsideTransaction('authenticate')
  const hash = hashToken(token)
  const { rows } = await db.pool.query<SessionFound>({ ...statement, values: [hash, now] })
  const actor = actorOf(rows[0])
  if (!actor) return null
  if (now.getTime() - actor.last_used_at.getTime() > touchAfterMs) {
    await db.pool.query('select touch_session($1, $2)', [hash, now])
  }
  return actor
}
