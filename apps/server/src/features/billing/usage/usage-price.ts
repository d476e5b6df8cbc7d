import type { Tier } from '@plinth/contract/plans'

/** From a moment up to another, which is the next period's. */
export type Period = { start: Date; end: Date }

/** The calendar month of a moment, in UTC; its name as in 2026-11. */
export function monthAround(now: Date): Period & { name: string } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const start = new Date(Date.UTC(year, month, 1))
  return { start, end: new Date(Date.UTC(year, month + 1, 1)), name: start.toISOString().slice(0, 7) }
}

/** Decimals of a minor unit that the provider allows in a price. */
const scale = 12

/** A decimal number such as 0.2 as a whole number of its smallest parts: floating point would be off by a little. */
function parts(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

/**
 * What an amount of usage costs at graduated prices, where each unit has the price of the tier it falls into.
 * @returns whole minor units, rounded half up as the provider rounds, once at the end
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
