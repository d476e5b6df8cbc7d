import { type Plan, planOf } from '@plinth/contract/plans'
import type { RefusalCode } from '@plinth/contract/refusals'
import type { AuthedContext, Services } from '../../../context.ts'
import type { Promotion } from '../../../integrations/stripe/payments.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { productId } from './catalogue.ts'

/** What a code is to be used for. */
export type Purpose = {
  plan: Plan
  /** Who would redeem it; null for somebody who is no customer yet. */
  customer: string | null
  /** Whether the first invoice is a whole period's. */
  whole: boolean
}

/** Looking up a code, right or wrong, draws on a budget of its own: guessing is slow. */
export async function consumePromotionLimit(
  ctx: AuthedContext,
  code: string | null | undefined,
): Promise<void> {
  if (code) await ctx.consume('promotion:user', ctx.actor.user_id)
}

/** What somebody's code stands for, or why it can't be used. Asks the provider, whose word alone counts. */
export async function findPromotion(
  services: Services,
  code: string,
  purpose: Purpose,
): Promise<Promotion | RefusalCode> {
  const found = await services.outside.payments.findPromotionCodes(code)
  return pick(found, purpose)
}

/** @param found all of one text, the newest first: one of the past says why there is none any more */
function pick(found: Promotion[], { plan, customer, whole }: Purpose): Promotion | RefusalCode {
  const mine = found.filter(one => one.customer === null || one.customer === customer)
  const good = mine.find(one => one.active)
  if (good) return isFor(good, plan, whole) ? good : 'promotion_code_unfit'
  if (found.some(one => one.active)) return 'promotion_code_unfit'
  const [past] = mine
  if (!past) return 'promotion_code_unknown'
  return past.usedUp ? 'promotion_code_used_up' : 'promotion_code_expired'
}

/** The provider would take one for other products and take nothing off, and judges a smallest sum by whole periods. */
function isFor({ products, hasMinimum, currency }: Promotion, plan: Plan, whole: boolean): boolean {
  if (hasMinimum && !whole) return false
  if (currency !== null && currency !== plan.currency) return false
  return products.length === 0 || products.includes(productId(planOf(plan.id)))
}

/** The refusal that somebody is told who sees what it would cost. */
export const promotionRefusal = (code: RefusalCode): Refusal => new Refusal(code, { field: 'promotion_code' })

/** As it is shown. */
export const describePromotion = ({ code, percentOff, amountOff, duration, months }: Promotion) => ({
  code,
  percent_off: percentOff,
  amount_off: amountOff,
  duration,
  months,
})
