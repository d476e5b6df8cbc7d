/** Text, or a number that is exact as text. */
type Decimal = number | string

interface Parts {
  digits: bigint
  scale: number
}

const textOf = (value: Decimal) =>
  typeof value === 'string' ? value : Number.isInteger(value) ? String(value) : value.toFixed(12)

function partsOf(value: Decimal): Parts {
  const [whole = '', fraction = ''] = textOf(value).split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** Divides and rounds half away from zero, so that a credit equals its charge with the opposite sign. */
function halfUp(numerator: bigint, denominator: bigint): number {
  const size = numerator < 0n ? -numerator : numerator
  const rounded = Number((2n * size + denominator) / (2n * denominator))
  return numerator < 0n && rounded !== 0 ? -rounded : rounded
}

/** A product in whole minor units, rounded once. */
export function productOf(a: Decimal, b: Decimal): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  return halfUp(left.digits * right.digits, 10n ** BigInt(left.scale + right.scale))
}

/** `percent` of an amount that is `per` percent of the base. */
export function percentOf(amount: number, percent: Decimal, per: Decimal = 100): number {
  const [share, whole] = [partsOf(percent), partsOf(per)]
  return halfUp(
    BigInt(amount) * share.digits * 10n ** BigInt(whole.scale),
    whole.digits * 10n ** BigInt(share.scale),
  )
}

/** The sum of decimals without binary rounding errors. */
export const sumOf = (values: readonly number[]) =>
  Number(values.reduce((sum, value) => sum + value, 0).toFixed(12))
