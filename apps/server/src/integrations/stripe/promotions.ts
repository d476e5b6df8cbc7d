import type Stripe from 'stripe'
import type { Call } from './client.ts'
import { isPaymentsError } from './errors.ts'
import { type Preview, toPreview } from './plan-change.ts'
import { idOf } from './shapes.ts'

/** A promotion code as the provider has it now. */
export type Promotion = {
  id: string
  code: string
  /** Whether it can be redeemed now. */
  active: boolean
  usedUp: boolean
  /** The only customer who may use it; null for all. */
  customer: string | null
  /** Requires a minimum amount. */
  hasMinimum: boolean
  /** The only products it applies to; empty for all. */
  products: string[]
  percentOff: number | null
  /** Minor units of `currency`. */
  amountOff: number | null
  currency: string | null
  duration: Duration
  /** For a repeating discount. */
  months: number | null
}

export type Duration = 'once' | 'repeating' | 'forever'

/** A discount of a subscription. `end` is null when it does not end. */
export type Discount = { id: string; once: boolean; end: Date | null }

/** The provider allows one active code with a text, besides ended ones. */
const ofOneText = 100

/** Calls that read promotion codes and preview new subscriptions. */
export function promotionCalls(call: Call) {
  return {
    /** Finds codes with a text, case-insensitive, newest first, including ended ones. */
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
     * Previews the first period of a new subscription.
     * @param customer null for a new one
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

    /** The discounts of a subscription. */
    discountsOf: (subscription: string): Promise<Discount[]> =>
      call(async stripe => {
        const expand = ['discounts.source.coupon']
        const found = await stripe.subscriptions.retrieve(subscription, { expand })
        return found.discounts.flatMap(toDiscount)
      }),
  }
}

/** Whether the provider rejected the promotion, and nothing else of the call. */
export const isPromotionRefused = (error: unknown): boolean =>
  isPaymentsError(error, 'rejected', 'missing') && /discount|promotion|coupon/.test(error.param ?? '')

function toPromotion(found: Stripe.PromotionCode): Promotion[] {
  const { coupon } = found.promotion
  // Its coupon is deleted, so the code can't be redeemed.
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
