import { cheapestPlanFor, isPlanId, planOf } from '@plinth/contract/plans'
import { isScope, type Scope } from '@plinth/contract/scopes'

type Standing = { revoked_at: Date | null; expires_at: Date | null }

export const isActive = ({ revoked_at, expires_at }: Standing, now: Date) =>
  revoked_at === null && (expires_at === null || expires_at > now)

/** How many active keys a plan has room for; null is no limit, and without a plan there is room for none. */
export const limitOf = (plan: string | null): number | null =>
  isPlanId(plan) ? planOf(plan).entitlements.api_keys : 0

/** What a 402 and a lock offer when the plan has no room for one more; null while it has. */
export function whyNoRoom(plan: string | null, used: number) {
  const limit = limitOf(plan)
  return limit === null || used < limit ? null : { count: limit, plan: cheapestPlanFor('api_keys', used + 1) }
}

/** Scopes as a row keeps them: words with a blank between. */
export const toText = (scope: readonly Scope[]) => scope.join(' ')
export const toScopes = (text: string): Scope[] => text.split(' ').filter(isScope)

/** Whether a key could do more than before. */
export const widens = (before: readonly Scope[], after: readonly Scope[]) =>
  after.some(scope => !before.includes(scope))

/** A key that lives longer than anybody remembers it is one without an end, and says so. */
const longestYears = 5

export function mayExpireAt(at: Date, now: Date): boolean {
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + longestYears)
  return at > now && at <= latest
}

/** Days before the end on which its maker is told, each once (security.md, V6.4.5). */
export const reminderDays = [30, 7, 1] as const

/** The reminder that is due, for a key that was last warned of `warned` days before; null when there is none. */
export function reminderDue(expiresAt: Date, now: Date, warned: number | null): number | null {
  const left = (expiresAt.getTime() - now.getTime()) / 86_400_000
  const due = reminderDays.findLast(days => left <= days)
  return due !== undefined && left > 0 && (warned === null || due < warned) ? due : null
}
