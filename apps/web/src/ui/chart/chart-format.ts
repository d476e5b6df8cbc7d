const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/**
 * Axis labels: k for thousands and m for millions in every language. The format decides on the currency sign
 * and the decimal mark.
 */
export function shortTick(value: number, format: Intl.NumberFormat = plain): string {
  const size = Math.abs(value)
  // 999,950 rounds to 1m, not to 1000k.
  const [scale, letter] = size >= 999_950 ? [1_000_000, 'm'] : size >= 1000 ? [1000, 'k'] : [1, '']
  const parts = format.formatToParts(value / scale)
  const last = parts.findLastIndex(({ type }) => type === 'integer' || type === 'fraction')
  return parts
    .map(({ type, value }, index) => (type === 'minusSign' ? '−' : index === last ? value + letter : value))
    .join('')
}

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10]

/** The smallest rounded step that reaches the highest value in four steps; undefined for negative values. */
export function niceStep(values: readonly number[]): number | undefined {
  const high = Math.max(0, ...values)
  if (high === 0 || values.some(value => value < 0)) return undefined
  const power = 10 ** Math.floor(Math.log10(high / 4))
  const step = STEPS.find(one => one * power * 4 >= high)
  return step === undefined ? undefined : step * power
}
