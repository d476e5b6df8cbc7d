import type { Coupon, Discount, DiscountAmount } from '../discount-objects.ts'
import type { InvoiceLine } from '../objects.ts'
import { percentOf } from './decimal.ts'

const isFor = (coupon: Coupon, product: string | undefined) =>
  coupon._products.length === 0 || coupon._products.includes(product ?? '')

const leftOf = (line: InvoiceLine) =>
  line.amount - (line.discount_amounts ?? []).reduce((sum, one) => sum + one.amount, 0)

/** What an amount off takes from each line: by their sizes, and never more than there is. */
function shares(sizes: readonly number[], amount: number): number[] {
  const whole = sizes.reduce((sum, size) => sum + size, 0)
  let left = Math.min(amount, whole)
  let rest = whole
  return sizes.map(size => {
    // each takes its share of what is left, so that the shares add up to the amount without a last one that differs
    const share = rest === 0 ? 0 : percentOf(left, size, rest)
    left -= share
    rest -= size
    return share
  })
}

/**
 * Writes on every line what each discount takes off it, one discount after the other on what the earlier ones left,
 * and returns the sums per discount. Prorations are left alone: their amounts are net already.
 */
export function spreadDiscounts(
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
        ? shares(sizes, coupon.amount_off ?? 0)
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
 * An amount less what lasting percentages take off it: what a proration starts from. An amount off and a discount
 * that is good once wait for the next whole period.
 */
export const netOf = (discounts: readonly Discount[], product: string, amount: number): number =>
  discounts.reduce((left, { _coupon: coupon }) => {
    const lasts = coupon.percent_off !== null && coupon.duration !== 'once' && isFor(coupon, product)
    return lasts ? left - percentOf(left, coupon.percent_off ?? 0) : left
  }, amount)
