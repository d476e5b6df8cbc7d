import { normalizeEmail } from '@plinth/contract/email'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/data/query.ts'

/**
 * How many of these addresses would take one more seat: not those of members, nor of invites that hold one already.
 * Only the account's own list is asked, as far as its first page goes; of any other address it knows nothing.
 * @param wanted false: nothing is asked, and every address counts
 */
export function useNewSeats(emails: readonly string[], wanted: boolean): number {
  const team = useApi(api.team.list, wanted ? { query: {} } : null).data
  const seated = new Set<string | null>([null])
  for (const { email } of team?.users ?? []) seated.add(normalizeEmail(email))
  for (const { email, expired } of team?.invites ?? []) if (!expired) seated.add(normalizeEmail(email))
  return new Set(emails.map(normalizeEmail).filter(email => !seated.has(email))).size
}
