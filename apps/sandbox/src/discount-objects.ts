import type { Base } from './base.ts'

/** What takes something off an invoice, in the shape of the wire; names that start with _ never leave. */
export interface Coupon extends Base {
  object: 'coupon'
  /** Minor units of `currency`. */
  amount_off: number | null
  currency: string | null
  duration: 'forever' | 'once' | 'repeating'
  duration_in_months: number | null
  max_redemptions: number | null
  name: string | null
  /** 0 to 100. */
  percent_off: number | null
  redeem_by: number | null
  times_redeemed: number
  valid: boolean
  /** The only products it is for; empty: all. */
  _products: string[]
}

export interface PromotionCode extends Base {
  object: 'promotion_code'
  active: boolean
  code: string
  customer: string | null
  expires_at: number | null
  max_redemptions: number | null
  promotion: { type: 'coupon'; coupon: string }
  restrictions: {
    first_time_transaction: boolean
    minimum_amount: number | null
    minimum_amount_currency: string | null
  }
  times_redeemed: number
  /** What its owner set; `active` is also no when it is used up, expired, or its coupon is. */
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
  /** As it was redeemed: what later becomes of the coupon does not touch it. */
  _coupon: Coupon
}

export interface DiscountAmount {
  amount: number
  discount: string
}
