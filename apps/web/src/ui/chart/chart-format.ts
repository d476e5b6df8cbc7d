const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/**
 * Axis labels: thousands as k, millions as m, in every language. Where the sign of a currency stands and which mark
 * comes before a decimal is the format's; the minus is a true one.
 */
export function shortTick(value: number, format: Intl.NumberFormat = plain): string {
  const size = Math.abs(value)
  // 999,950 already rounds to a million; "1000k" would be wrong.
  const [scale, letter] = size >= 999_950 ? [1_000_000, 'm'] : size >= 1000 ? [1000, 'k'] : [1, '']
  const parts = format.formatToParts(value / scale)
  const last = parts.findLastIndex(({ type }) => type === 'integer' || type === 'fraction')
  return parts
    .map(({ type, value }, index) => (type === 'minusSign' ? '−' : index === last ? value + letter : value))
    .join('')
}

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10]

/** The smallest round step that reaches the highest value in four; none when values go below zero. */
export function niceStep(values: readonly number[]): number | undefined {
  const high = Math.max(0, ...values)
  if (high === 0 || values.some(value => value < 0)) return undefined
  const power = 10 ** Math.floor(Math.log10(high / 4))
  const step = STEPS.find(one => one * power * 4 >= high)
  return step === undefined ? undefined : step * power
}
