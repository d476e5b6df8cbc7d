import type { AssignableRole } from '@plinth/contract/roles'

/** Days before the certificate expires on which the owners are mailed. */
export const reminderDays = [30, 7, 1] as const

/** The most domains of one account. */
export const mostDomains = 20

/** The domain of an address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** The DNS name of the domain's proof. */
export const recordName = (domain: string): string => `_plinth.${domain}`
export const recordValue = (proof: string): string => `plinth-domain-verification=${proof}`

/** The name of a user whose provider gives none. */
export function nameFor(person: { email: string; first_name: string | null; last_name: string | null }) {
  const { email, first_name, last_name } = person
  return { first_name: first_name ?? email.slice(0, email.lastIndexOf('@')), last_name: last_name ?? '' }
}

type Standing = { tested: boolean; enabled: boolean; enforced: boolean; has_domain: boolean }
type Change = { enabled?: boolean; enforced?: boolean; break_glass?: string[]; default_role?: AssignableRole }

/**
 * Why a change of the connection is refused, or null. Enabling requires a successful test; enforcing requires
 * enabling, a proven domain, and a break-glass owner.
 */
export function whyNotChange(
  before: Standing,
  change: Change,
  owners: string[],
): 'sso_not_tested' | 'sso_last_domain' | 'sso_break_glass' | null {
  const enabled = change.enabled ?? before.enabled
  const enforced = (change.enforced ?? before.enforced) && enabled
  if ((enabled && !before.enabled && !before.tested) || (change.enforced && !enabled)) return 'sso_not_tested'
  const chosen = change.break_glass
  const newly = enforced && !before.enforced
  if (newly && !before.has_domain) return 'sso_last_domain'
  if (chosen === undefined) return newly ? 'sso_break_glass' : null
  return enforced && (chosen.length === 0 || chosen.some(id => !owners.includes(id)))
    ? 'sso_break_glass'
    : null
}

/** The reminder that is due; null before the first one and after the expiry. */
export function reminderDue(end: Date, now: Date): (typeof reminderDays)[number] | null {
  const days = (end.getTime() - now.getTime()) / 86_400_000
  if (days < 0) return null
  return reminderDays.findLast(limit => days <= limit) ?? null
}
