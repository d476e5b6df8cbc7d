import type { Price, Tier } from '../../objects/billing-objects.ts'
import { productOf, sumOf } from './decimal.ts'

export interface Part {
  quantity: number
  unitDecimal: string | null
  amount: number
  label: string | null
}

function graduated(tiers: readonly Tier[], quantity: number): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const [index, tier] of tiers.entries()) {
    const upTo = tier.up_to ?? Infinity
    const units = Math.max(0, sumOf([Math.min(quantity, upTo), -from]))
    if (units === 0 && index > 0) break
    const amount = productOf(units, tier.unit_amount_decimal)
    parts.push({ quantity: units, unitDecimal: tier.unit_amount_decimal, amount, label: `Tier ${index + 1}` })
    from = upTo
  }
  return parts
}

/** Price of a quantity in minor units, one part for each invoice line. */
export function priceParts(price: Price, quantity: number): Part[] {
  if (price.billing_scheme === 'tiered') return graduated(price._tiers, quantity)
  const amount = productOf(quantity, price.unit_amount_decimal ?? 0)
  return [{ quantity, unitDecimal: price.unit_amount_decimal, amount, label: null }]
}

export const priceTotal = (price: Price, quantity: number) =>
  priceParts(price, quantity).reduce((sum, part) => sum + part.amount, 0)

/** Share of an amount for the rest of a period, by the second. */
export const prorated = (amount: number, from: number, start: number, end: number) =>
  end <= start ? 0 : Math.round((amount * Math.max(0, end - from)) / (end - start))
