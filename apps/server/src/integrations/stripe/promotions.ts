import type Stripe from 'stripe'
import type { Call } from './client.ts'
import { isPaymentsError } from './errors.ts'
import { type Preview, toPreview } from './plan-change.ts'
import { idOf } from './shapes.ts'

/** What a promotion code stands for, as the provider knows it at this moment. */
export type Promotion = {
  id: string
  code: string
  /** Whether it may be redeemed now: not switched off, expired or used up. */
  active: boolean
  usedUp: boolean
  /** The only customer it is for; null: anybody. */
  customer: string | null
  /** It asks for a first invoice of some size. */
  hasMinimum: boolean
  /** The only products it is for; empty: all. */
  products: string[]
  percentOff: number | null
  /** Minor units of `currency`. */
  amountOff: number | null
  currency: string | null
  duration: Duration
  /** Of a repeating one. */
  months: number | null
}

export type Duration = 'once' | 'repeating' | 'forever'

/** What is taken off a subscription already. `end` is null where it lasts. */
export type Discount = { id: string; once: boolean; end: Date | null }

/** As many of one text as the provider can have: one that is active, and those of the past. */
const ofOneText = 100

/** The verbs of promotion codes, and the price of what does not run yet. All look, and change nothing. */
export function promotionCalls(call: Call) {
  return {
    /** What a text stands for, in any case of its letters: the newest first, those of the past among them. */
    findPromotionCodes: (text: string): Promise<Promotion[]> =>
      call(async stripe => {
        const page = await stripe.promotionCodes.list({
          code: text,
          limit: ofOneText,
          expand: ['data.promotion.coupon.applies_to'],
        })
        return page.data.flatMap(toPromotion)
      }),

    /**
     * What the first period of a new subscription would cost.
     * @param customer null for somebody who is none yet
     */
    previewFirst: (
      customer: string | null,
      items: { price: string; quantity?: number }[],
      promotion: string | null,
    ): Promise<Preview> =>
      call(async stripe =>
        toPreview(
          await stripe.invoices.createPreview({
            ...(customer ? { customer } : { customer_details: { tax_exempt: 'none' as const } }),
            subscription_details: { items },
            ...(promotion && { discounts: [{ promotion_code: promotion }] }),
          }),
        ),
      ),

    /** What is taken off a subscription. */
    discountsOf: (subscription: string): Promise<Discount[]> =>
      call(async stripe => {
        const expand = ['discounts.source.coupon']
        const found = await stripe.subscriptions.retrieve(subscription, { expand })
        return found.discounts.flatMap(toDiscount)
      }),
  }
}

/** Whether it is the promotion that the provider does not accept, and not something else about a call. */
export const isPromotionRefused = (error: unknown): boolean =>
  isPaymentsError(error, 'rejected', 'missing') && /discount|promotion|coupon/.test(error.param ?? '')

function toPromotion(found: Stripe.PromotionCode): Promotion[] {
  const { coupon } = found.promotion
  // Its coupon is deleted: nobody can redeem it any more.
  if (!coupon || typeof coupon === 'string') return []
  const used = (one: { max_redemptions: number | null; times_redeemed: number }) =>
    one.max_redemptions !== null && one.times_redeemed >= one.max_redemptions
  return [
    {
      id: found.id,
      code: found.code,
      active: found.active,
      usedUp: used(found) || used(coupon),
      customer: idOf(found.customer),
      hasMinimum: found.restrictions.minimum_amount !== null,
      products: coupon.applies_to?.products ?? [],
      percentOff: coupon.percent_off,
      amountOff: coupon.amount_off,
      currency: coupon.currency,
      duration: durations.find(one => one === coupon.duration) ?? 'once',
      months: coupon.duration_in_months,
    },
  ]
}

const durations = ['once', 'repeating', 'forever'] as const

function toDiscount(found: string | Stripe.Discount): Discount[] {
  if (typeof found === 'string') return []
  const { coupon } = found.source
  const once = typeof coupon === 'object' && coupon?.duration === 'once'
  return [{ id: found.id, once, end: found.end === null ? null : new Date(found.end * 1000) }]
}
