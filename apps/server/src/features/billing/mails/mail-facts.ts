import { cardBrandName } from '@plinth/contract/card-brands'
import { formatMoney } from '@plinth/contract/money'
import { type PlanId, planOf } from '@plinth/contract/plans'
import type { CardFace, ProviderSubscription } from '../../../integrations/stripe/payments.ts'
import { billingDay } from '../../../lib/billing-day.ts'
import { type Locale, translate } from '../../../lib/i18n.ts'

/** The cost of a subscription per period, in the language of a mail. */
export function costOf(locale: Locale, plan: PlanId, { seats, seatPrice }: ProviderSubscription) {
  const { type, currency, interval, metered } = planOf(plan)
  return {
    price: formatMoney(locale, seats * seatPrice, currency),
    seats: type === 'per_seat' ? { count: seats, each: formatMoney(locale, seatPrice, currency) } : null,
    period: interval ?? 'month',
    usage: metered !== null,
  }
}

/** The last day of a trial; null without one. */
export const trialDay = (locale: Locale, { status, trialEnd }: ProviderSubscription): string | null =>
  status === 'trialing' && trialEnd ? billingDay(locale, trialEnd) : null

/** The customer's credit; null without any. */
export const creditOf = (locale: Locale, plan: PlanId, { credit }: ProviderSubscription): string | null =>
  credit > 0 ? formatMoney(locale, credit, planOf(plan).currency) : null

/** "Visa ending 4242". */
export const cardName = (locale: Locale, card: Pick<CardFace, 'brand' | 'last4'> | null): string | null =>
  card &&
  translate(locale, 'cards.ending', {
    brand: cardBrandName(card.brand) ?? translate(locale, 'cards.other'),
    last4: card.last4,
  })
