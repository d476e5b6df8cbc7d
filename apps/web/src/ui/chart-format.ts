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
