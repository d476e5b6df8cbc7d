/** One decimal at most, and none that says nothing. */
const trim = (value: number) => String(Math.round(value * 10) / 10)

/** Axis labels: thousands as k, millions as m, a true minus sign before everything else. */
export function shortTick(value: number, unit = ''): string {
  const size = Math.abs(value)
  const sign = value < 0 ? '−' : ''
  // 999,950 already rounds to a million; "1000k" would be wrong.
  if (size >= 999_950) return `${sign}${unit}${trim(size / 1_000_000)}m`
  if (size >= 1000) return `${sign}${unit}${trim(size / 1000)}k`
  return `${sign}${unit}${trim(size)}`
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
