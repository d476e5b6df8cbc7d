import type { Actor } from '../context.ts'

/** One value, for the driver reads the description of every column with every answer. */
export const findSession = 'select find_session($1, $2) as found'

type Times = 'authenticated_at' | 'last_used_at'
/** The row of `findSession`: JSON knows no times. Null: no such session, or a dead one. */
export type SessionFound = { found: (Omit<Actor, Times> & Record<Times, string>) | null }

export function actorOf(row: SessionFound | undefined): Actor | null {
  if (!row?.found) return null
  const { authenticated_at, last_used_at, ...rest } = row.found
  return { ...rest, authenticated_at: new Date(authenticated_at), last_used_at: new Date(last_used_at) }
}
