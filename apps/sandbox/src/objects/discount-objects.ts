import type Stripe from 'stripe'
import type { Base, Unexpanded } from './base.ts'

export interface Coupon extends Unexpanded<Stripe.Coupon> {
  /** The products that it applies to; empty: all. */
  _products: string[]
}

export interface PromotionCode extends Base {
  object: 'promotion_code'
  active: boolean
  code: string
  customer: string | null
  max_redemptions: number | null
  promotion: { type: 'coupon'; coupon: string }
  restrictions: {
    first_time_transaction: boolean
    minimum_amount: number | null
    minimum_amount_currency: string | null
  }
  times_redeemed: number
  /** The stored switch; `active` is also false for a code or coupon that is used up. */
  _switchedOn: boolean
}

export interface Discount {
  id: string
  object: 'discount'
  customer: string | null
  end: number | null
  promotion_code: string | null
  source: { type: 'coupon'; coupon: string }
  start: number
  subscription: string | null
  /** Copy of the coupon at redemption: later changes of the coupon do not apply. */
  _coupon: Coupon
}

export interface DiscountAmount {
  amount: number
  discount: string
}
