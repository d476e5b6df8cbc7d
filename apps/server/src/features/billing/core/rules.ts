import { currencySymbol, majorUnits, minorDigits } from '@plinth/contract/money'
import { isPlanId, type Plan, type PlanId, planIds, planOf } from '@plinth/contract/plans'

export type DisplayStatus = 'active' | 'trialing' | 'requires_payment_method' | 'requires_action' | 'canceled'

/**
 * What screens and access rules read, from the provider's status and how the payment that is due stands.
 * @param payment status of the newest invoice's payment, null when there is none
 */
export function displayStatus(provider: string, payment: string | null): DisplayStatus {
  if (provider === 'active' || provider === 'trialing') return provider
  if (provider === 'canceled' || provider === 'incomplete_expired') return 'canceled'
  return payment === 'requires_action' && provider !== 'paused'
    ? 'requires_action'
    : 'requires_payment_method'
}

/** Whether a subscription of that display status still binds the account and the provider. */
export const isLive = (row: { provider_sub_id: string | null; status: string } | undefined): boolean =>
  row !== undefined && row.provider_sub_id !== null && row.status !== 'canceled'

export const isRunning = (provider: string) => provider === 'active' || provider === 'trialing'
export const hasEnded = (provider: string) => provider === 'canceled' || provider === 'incomplete_expired'

/** Our plan for a price of the provider. A lookup key moves to the newest price, so the price's own note comes first. */
export function planOfPrice(price: { planKey: string | null; lookupKey: string | null }): PlanId | null {
  if (isPlanId(price.planKey)) return price.planKey
  return price.lookupKey === null
    ? null
    : (planIds.find(id => planOf(id).lookup_key === price.lookupKey) ?? null)
}

export type SyncAction = 'update' | 'to_free' | 'record' | 'orphan' | 'extra' | 'ignore'

/**
 * What a fresh read of a subscription means for an account.
 * @param known the account's row, undefined before the first plan
 * @param attempt state of our attempt that made the subscription, null when none of ours did
 */
export function decideSyncAction(
  known: { provider_sub_id: string | null; status: string; pending_plan: string | null } | undefined,
  attempt: string | null,
  seen: { id: string; status: string },
): SyncAction {
  if (known && known.provider_sub_id === seen.id) {
    return hasEnded(seen.status) && known.pending_plan === 'free' ? 'to_free' : 'update'
  }
  if (!isRunning(seen.status)) return 'ignore'
  // Given up by us, yet running: the provider finished what we had stopped waiting for.
  if (attempt === 'failed') return 'orphan'
  return isLive(known) ? 'extra' : 'record'
}

/** Seats a subscription starts with: memberships for a plan by the seat, one for any other. */
export const seatsFor = (plan: Plan, memberships: number): number =>
  plan.type === 'per_seat' ? Math.max(1, memberships) : 1

/** What a change is aimed at, and what a fresh read says of it. */
type Target = { plan: string | null; card_token: string | null; replaced_at: Date | null }
type ProviderState = {
  status: string
  plan: PlanId | null
  cancelAtPeriodEnd: boolean
  pendingUpdate: boolean
}

/** Whether the provider has what a change was to bring about, whoever did it. */
export function fulfils(aim: Target, found: ProviderState): boolean {
  if (aim.card_token !== null && aim.replaced_at === null) return false
  if (aim.plan === 'free') return found.cancelAtPeriodEnd
  return found.plan === aim.plan && !found.cancelAtPeriodEnd && !found.pendingUpdate
}

export type Step = 'done' | 'gone' | 'owing' | 'card' | 'end' | 'payment' | 'items' | 'keep'

/** What a change needs next, from a fresh read alone, so that it can be taken up wherever it was cut off. */
export function nextStep(aim: Target, found: ProviderState): Step {
  if (hasEnded(found.status)) return 'gone'
  if (fulfils(aim, found)) return 'done'
  const other = aim.plan !== 'free' && found.plan !== aim.plan
  // What is due is paid first: a change would otherwise wake a debt, or be paid while that stays (trap 4).
  if (other && !isRunning(found.status)) return 'owing'
  if (aim.card_token !== null && aim.replaced_at === null) return 'card'
  if (aim.plan === 'free') return 'end'
  if (found.pendingUpdate) return 'payment'
  return other ? 'items' : 'keep'
}

/** What a period of a plan costs, in minor units, without usage. */
const priceFor = (plan: Plan, seats: number): number => plan.price * seats

/**
 * How a running subscription moves to another plan. What is dearer, or begins a period of its own, is charged at once;
 * what is cheaper is made good on the next invoice. A trial that the other plan does not have ends.
 */
export function moveToPlan(
  to: Plan,
  seats: number,
  from: { status: string; interval: Plan['interval']; price: number },
): { bills: boolean; endsTrial: boolean } {
  const trialing = from.status === 'trialing'
  const endsTrial = trialing && to.trial_days === 0
  const dearer = priceFor(to, seats) > from.price
  return { bills: endsTrial || (!trialing && (dearer || to.interval !== from.interval)), endsTrial }
}

export const onePeriodAfter = (from: Date, interval: 'month' | 'year'): Date =>
  monthsAfter(from, interval === 'month' ? 1 : 12)

/** So many months later, on the same day where there is one, else on the last of the month. */
function monthsAfter(from: Date, months: number): Date {
  const day = from.getUTCDate()
  const next = new Date(from)
  next.setUTCDate(1)
  next.setUTCMonth(next.getUTCMonth() + months)
  const last = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()
  next.setUTCDate(Math.min(day, last))
  return next
}

type Lasting = { duration: 'once' | 'repeating' | 'forever'; months: number | null }

/** Whether what is taken off from one moment on is still taken off at a later one. */
export function discountStillApplies({ duration, months }: Lasting, from: Date, at: Date): boolean {
  return duration === 'forever' || (duration === 'repeating' && monthsAfter(from, months ?? 1) > at)
}

/** The same promotion code as the provider compares them: in any case of its letters. */
export const isSamePromotionCode = (one: string | null, other: string | null): boolean =>
  (one ?? '').toLowerCase() === (other ?? '').toLowerCase()

/** Older than this a previewed second is not believed any more; a little ahead may be another clock. */
const previewLastsMs = 15 * 60_000
const aheadMs = 60_000

/**
 * The second at which a change divides the period: the one that was previewed while it is fresh, else now; null, which
 * is the provider's own now, where our clock says something outside the period.
 * @param previewed seconds since 1970
 * @param ownClock the provider's clock is moved by hand, as in a sandbox: what it previewed is believed where ours is outside the period
 */
export function prorationDate(
  now: Date,
  previewed: number | undefined,
  period: { start: Date | null; end: Date | null },
  ownClock = false,
): Date | null {
  const { start, end } = period
  if (!start || !end) return null
  const isInside = (date: Date) => date >= start && date < end
  const at = previewed === undefined ? now : new Date(previewed * 1000)
  const age = now.getTime() - at.getTime()
  const isFresh = (age <= previewLastsMs && age >= -aheadMs) || (ownClock && !isInside(now))
  const chosen = isFresh ? at : now
  const whole = new Date(Math.floor(chosen.getTime() / 1000) * 1000)
  return isInside(whole) ? whole : null
}

/** The label of a plan: name, symbol and price, interval. Whole sums without decimals. */
export function planLabel(plan: Plan, name: string, per: string | null): string {
  const amount = majorUnits(plan.price, plan.currency)
  const price = Number.isInteger(amount) ? String(amount) : amount.toFixed(minorDigits(plan.currency))
  return `${name} ${currencySymbol(plan.currency)}${price}${per === null ? '' : `/${per}`}`
}

/** How long to wait before an open attempt is looked at again: longer the older it is, an hour at most. */
export const nextCheckSeconds = (ageSeconds: number, first: number): number =>
  Math.ceil(Math.min(3600, Math.max(first, ageSeconds / 2)))

/** The provider gives a first payment 23 hours; so do we. */
export const confirmationSeconds = 23 * 3600
