import type { Interval } from '../../objects/billing-objects.ts'

interface Cycle {
  interval: Interval
  interval_count: number
}

const day = 86_400

/** The anchor plus n cycles, in UTC. Computed from the anchor, so the 31st returns after a shorter month. */
export function cycleStart(anchor: number, { interval, interval_count: count }: Cycle, n: number): number {
  if (interval === 'day') return anchor + n * count * day
  if (interval === 'week') return anchor + n * count * 7 * day
  const from = new Date(anchor * 1000)
  const months = from.getUTCMonth() + n * count * (interval === 'year' ? 12 : 1)
  const year = from.getUTCFullYear() + Math.floor(months / 12)
  const month = ((months % 12) + 12) % 12
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const date = Math.min(from.getUTCDate(), lastDay)
  const clock = anchor - Math.floor(anchor / day) * day
  return Date.UTC(year, month, date) / 1000 + clock
}

const roughLength = { day, week: 7 * day, month: 28 * day, year: 365 * day }

/** The first cycle boundary after a time. */
export function nextBoundary(anchor: number, cycle: Cycle, after: number): number {
  let n = Math.max(
    0,
    Math.floor((after - anchor) / ((roughLength[cycle.interval] + 4 * day) * cycle.interval_count)) - 1,
  )
  while (cycleStart(anchor, cycle, n) <= after) n += 1
  return cycleStart(anchor, cycle, n)
}

export const shortest = (cycles: readonly Cycle[]): number =>
  Math.min(...cycles.map(cycle => roughLength[cycle.interval] * cycle.interval_count))
