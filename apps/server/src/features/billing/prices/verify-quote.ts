import { isPlanId } from '@plinth/contract/plans'
import type { Services } from '../../../context.ts'
import type { Promotion } from '../../../integrations/stripe/payments.ts'
import type * as attempts from '../core/attempt-store.ts'
import { type Pricing, pricePlan } from './price-plan.ts'
import { isSameQuote, quoteIn } from './quote.ts'

type Attempt = attempts.Attempt

/**
 * Prices an attempt by a fresh preview of the same items, seats and proration second that are about to be
 * sent.
 * @returns 'changed' when the price differs from the attempt's quote; null when the call sent no quote
 */
export async function verifyQuote(services: Services, attempt: Attempt): Promise<Pricing | 'changed' | null> {
  const quote = quoteIn(attempt)
  if (!quote || !isPlanId(attempt.plan)) return null
  const { seats, trial_days: trialDays, proration_date } = attempt
  const pricing = await pricePlan(services, attempt.account_id, {
    plan: attempt.plan,
    findPromotion: () => settledPromotion(services, attempt),
    fixed: { seats, trialDays, prorationDate: proration_date },
  })
  return pricing && isSameQuote(pricing.quote, quote) ? pricing : 'changed'
}

async function settledPromotion(services: Services, attempt: Attempt): Promise<Promotion | null> {
  const { promotion_code: code, promotion_id } = attempt
  if (code === null) return null
  const found = await services.integrations.payments.findPromotionCodes(code)
  return found.find(({ id }) => id === promotion_id) ?? null
}
