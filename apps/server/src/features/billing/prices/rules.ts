import { currencySymbol, majorUnits, minorDigits } from '@plinth/contract/money'
import type { Plan } from '@plinth/contract/plans'

/** The price of a period in minor units, without usage. */
const priceFor = (plan: Plan, seats: number): number => plan.price * seats

/**
 * How a running subscription moves to another plan. A higher price or another interval is charged at once; a
 * lower price becomes credit on the next invoice. A trial ends if the other plan has none.
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

/** The same day some months later, or the last day of a shorter month. */
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

/** Whether a discount that starts at one moment still applies at a later one. */
export function discountStillApplies({ duration, months }: Lasting, from: Date, at: Date): boolean {
  return duration === 'forever' || (duration === 'repeating' && monthsAfter(from, months ?? 1) > at)
}

/** How long a previewed second is valid; it may be a little ahead because clocks differ. */
const previewLastsMs = 15 * 60_000
const aheadMs = 60_000

/**
 * The second at which a change divides the period: the previewed one while it is fresh, otherwise now. Null,
 * which means the provider's own now, when our clock is outside the period.
 * @param previewed seconds since 1970
 * @param ownClock the sandbox's clock is moved by hand: a previewed second is valid even if our clock is
 * outside the period
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

/** The label of a plan: name, price and interval. Whole amounts without decimals. */
export function planLabel(plan: Plan, name: string, per: string | null): string {
  const amount = majorUnits(plan.price, plan.currency)
  const price = Number.isInteger(amount) ? String(amount) : amount.toFixed(minorDigits(plan.currency))
  return `${name} ${currencySymbol(plan.currency)}${price}${per === null ? '' : `/${per}`}`
}
