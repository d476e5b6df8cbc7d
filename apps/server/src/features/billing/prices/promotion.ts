import { type Plan, planOf } from '@plinth/contract/plans'
import type { RefusalCode } from '@plinth/contract/refusals'
import type { AuthedContext, Services } from '../../../context.ts'
import type { Promotion } from '../../../integrations/stripe/payments.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { productId } from './catalogue.ts'

export type Purpose = {
  plan: Plan
  /** The customer who redeems it; null for a new one. */
  customer: string | null
  /** Whether the first invoice covers a whole period. */
  whole: boolean
}

/** Each lookup of a code, right or wrong, consumes a rate limit, so that guessing is slow. */
export async function consumePromotionLimit(
  ctx: AuthedContext,
  code: string | null | undefined,
): Promise<void> {
  if (code) await ctx.consume('promotion:user', ctx.actor.user_id)
}

/** Finds the promotion of a code at the provider, or the reason why it does not apply. */
export async function findPromotion(
  services: Services,
  code: string,
  purpose: Purpose,
): Promise<Promotion | RefusalCode> {
  const found = await services.integrations.payments.findPromotionCodes(code)
  return pickPromotion(found, purpose)
}

/** @param found all promotions with this code, newest first; an ended one explains why none is active */
function pickPromotion(found: Promotion[], { plan, customer, whole }: Purpose): Promotion | RefusalCode {
  const mine = found.filter(one => one.customer === null || one.customer === customer)
  const good = mine.find(one => one.active)
  if (good) return fitsPurpose(good, plan, whole) ? good : 'promotion_code_unfit'
  if (found.some(one => one.active)) return 'promotion_code_unfit'
  const [past] = mine
  if (!past) return 'promotion_code_unknown'
  return past.usedUp ? 'promotion_code_used_up' : 'promotion_code_expired'
}

/**
 * The provider accepts codes for other products without a discount, and checks a minimum amount only for
 * whole periods.
 */
function fitsPurpose({ products, hasMinimum, currency }: Promotion, plan: Plan, whole: boolean): boolean {
  if (hasMinimum && !whole) return false
  if (currency !== null && currency !== plan.currency) return false
  return products.length === 0 || products.includes(productId(planOf(plan.id)))
}

export const promotionRefusal = (code: RefusalCode): Refusal => new Refusal(code, { field: 'promotion_code' })

export const describePromotion = ({ code, percentOff, amountOff, duration, months }: Promotion) => ({
  code,
  percent_off: percentOff,
  amount_off: amountOff,
  duration,
  months,
})
