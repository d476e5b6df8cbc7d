import { normalizeEmail } from '@plinth/contract/email'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/data/query.ts'

/**
 * How many of the addresses need a further seat. Members and open invites on the first page of the team need
 * none; other addresses count.
 * @param wanted false: skips the check and counts every address
 */
export function useNewSeats(emails: readonly string[], wanted: boolean): number {
  const team = useApi(api.team.list, wanted ? { query: {} } : null).data
  const seated = new Set<string | null>([null])
  for (const { email } of team?.users ?? []) seated.add(normalizeEmail(email))
  for (const { email, expired } of team?.invites ?? []) if (!expired) seated.add(normalizeEmail(email))
  return new Set(emails.map(normalizeEmail).filter(email => !seated.has(email))).size
}
