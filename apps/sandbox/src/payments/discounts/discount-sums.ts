import type { InvoiceLine } from '../../objects/billing-objects.ts'
import type { Coupon, Discount, DiscountAmount } from '../../objects/discount-objects.ts'
import { percentOf } from '../prices/decimal.ts'

const isFor = (coupon: Coupon, product: string | undefined) =>
  coupon._products.length === 0 || coupon._products.includes(product ?? '')

const leftOf = (line: InvoiceLine) =>
  line.amount - (line.discount_amounts ?? []).reduce((sum, one) => sum + one.amount, 0)

/** Splits an amount over lines by their sizes, at most their sum. */
function splitAmount(sizes: readonly number[], amount: number): number[] {
  const whole = sizes.reduce((sum, size) => sum + size, 0)
  let left = Math.min(amount, whole)
  let rest = whole
  return sizes.map(size => {
    // A share of the remaining amount, so that the rounded shares add up exactly.
    const share = rest === 0 ? 0 : percentOf(left, size, rest)
    left -= share
    rest -= size
    return share
  })
}

/**
 * Sets the discount amounts of each line and returns the sum per discount. A discount applies to the amount left by the
 * earlier ones. Prorations are already net.
 */
export function applyDiscounts(
  lines: readonly InvoiceLine[],
  discounts: readonly Discount[],
): DiscountAmount[] {
  for (const line of lines) line.discount_amounts = []
  for (const { id, _coupon: coupon } of discounts) {
    const meant = lines.filter(
      line => line.discountable && line.amount > 0 && isFor(coupon, line.pricing?.price_details.product),
    )
    const sizes = meant.map(leftOf)
    const taken =
      coupon.percent_off === null
        ? splitAmount(sizes, coupon.amount_off ?? 0)
        : sizes.map(size => percentOf(size, coupon.percent_off ?? 0))
    for (const [index, line] of meant.entries())
      line.discount_amounts = [...(line.discount_amounts ?? []), { amount: taken[index] ?? 0, discount: id }]
  }
  for (const line of lines)
    Object.assign(line, {
      pretax_credit_amounts: (line.discount_amounts ?? []).map(one => ({ ...one, type: 'discount' })),
    })
  return discounts.map(({ id }) => ({
    amount: lines
      .flatMap(line => line.discount_amounts ?? [])
      .reduce((sum, one) => sum + (one.discount === id ? one.amount : 0), 0),
    discount: id,
  }))
}

/**
 * Base of a proration: the amount less recurring percentage discounts. Fixed amounts and one-time discounts apply to
 * the next full period instead.
 */
export const netProration = (discounts: readonly Discount[], product: string, amount: number): number =>
  discounts.reduce((left, { _coupon: coupon }) => {
    const lasts = coupon.percent_off !== null && coupon.duration !== 'once' && isFor(coupon, product)
    return lasts ? left - percentOf(left, coupon.percent_off ?? 0) : left
  }, amount)
