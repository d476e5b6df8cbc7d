import { cheapestPlanFor, isPlanId, planOf } from '@plinth/contract/plans'
import { isScope, type Scope } from '@plinth/contract/scopes'

type KeyState = { revoked_at: Date | null; expires_at: Date | null }

export const isActive = ({ revoked_at, expires_at }: KeyState, now: Date) =>
  revoked_at === null && (expires_at === null || expires_at > now)

/** How many active keys a plan allows; null is unlimited, and 0 without a plan. */
export const keyLimitOf = (plan: string | null): number | null =>
  isPlanId(plan) ? planOf(plan).entitlements.api_keys : 0

/** The limit that is reached and the plan that allows more; null while there is room for one more key. */
export function whyNoRoom(plan: string | null, used: number) {
  const limit = keyLimitOf(plan)
  return limit === null || used < limit ? null : { count: limit, plan: cheapestPlanFor('api_keys', used + 1) }
}

/** Scopes are stored as words separated by a space. */
export const scopesToText = (scope: readonly Scope[]) => scope.join(' ')
export const textToScopes = (text: string): Scope[] => text.split(' ').filter(isScope)

/** Whether a change of scopes allows a key more than before. */
export const addsScopes = (before: readonly Scope[], after: readonly Scope[]) =>
  after.some(scope => !before.includes(scope))

/** A later expiry date is probably a mistake: a key that never expires has none. */
const longestYears = 5

export function mayExpireAt(at: Date, now: Date): boolean {
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + longestYears)
  return at > now && at <= latest
}

/** Days before expiry on which the maker is mailed. */
export const reminderDays = [30, 7, 1] as const

/**
 * The reminder that is due, in days before expiry; null when there is none.
 * @param warned the last reminder sent
 */
export function reminderDue(expiresAt: Date, now: Date, warned: number | null): number | null {
  const left = (expiresAt.getTime() - now.getTime()) / 86_400_000
  const due = reminderDays.findLast(days => left <= days)
  return due !== undefined && left > 0 && (warned === null || due < warned) ? due : null
}
