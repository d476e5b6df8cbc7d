import type { Actor } from '../context.ts'

type Times = 'authenticated_at' | 'last_used_at'
type Found = Omit<Actor, Times | 'api_key'> & Record<Times, string> & Partial<Pick<Actor, 'api_key'>>
/** An entry of find_sessions(), or the result of find_api_key(): times are text in JSON. Null: not found, or not valid. */
export type SessionFound = { found: Found | null }

export function actorOf(row: SessionFound | undefined): Actor | null {
  if (!row?.found) return null
  const { authenticated_at, last_used_at, api_key = null, ...rest } = row.found
  return {
    ...rest,
    api_key,
    authenticated_at: new Date(authenticated_at),
    last_used_at: new Date(last_used_at),
  }
}
