import type { Tier } from '@plinth/contract/plans'

/** The end is the start of the next period. */
export type Period = { start: Date; end: Date }

/** The calendar month of a date in UTC; its name is like 2026-11. */
export function monthAround(now: Date): Period & { name: string } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const start = new Date(Date.UTC(year, month, 1))
  return { start, end: new Date(Date.UTC(year, month + 1, 1)), name: start.toISOString().slice(0, 7) }
}

/** Decimal places of a minor unit that the provider allows in a price. */
const scale = 12

/** A decimal number as a whole number of its smallest parts, because floating point would round. */
function parts(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

/**
 * The price of usage at graduated prices: each unit costs the price of its tier.
 * @returns minor units, rounded half up once at the end, as the provider rounds
 */
export function priceOfUsage(tiers: readonly Tier[], quantity: number): number {
  let sum = 0n
  let from = 0
  for (const { up_to, unit_amount_decimal } of tiers) {
    const units = Math.max(0, Math.min(quantity, up_to ?? quantity) - from)
    sum += BigInt(units) * parts(unit_amount_decimal)
    from = up_to ?? quantity
  }
  const unit = 10n ** BigInt(scale)
  return Number((sum + unit / 2n) / unit)
}
