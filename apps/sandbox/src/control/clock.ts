import { invalid } from '../http/api-error.ts'
import { draftSeconds } from '../payments/invoices.ts'
import { cycleStart } from '../payments/periods.ts'
import { periodEnd } from '../payments/subscription-life.ts'
import { passTime } from '../payments/time.ts'
import { keepSetting, setting, type World, wallTime } from '../world.ts'
import type { Control, Reply } from './reply.ts'

const day = 86_400

/** When the next period ends of what follows the sandbox's own clock; test clocks are moved by their owners. */
function nextRenewal(world: World): number | null {
  const ends = world.store
    .all('subscription')
    .filter(
      one => one.test_clock === null && ['active', 'trialing', 'past_due', 'unpaid'].includes(one.status),
    )
    .map(periodEnd)
  return ends.length > 0 ? Math.min(...ends) : null
}

/** How far to go, in seconds: so many, so many days or months, or past the next renewal and its hour as a draft. */
function step(world: World, { to, months, days, seconds }: Control['body']): number {
  const now = wallTime(world)
  if (months !== undefined)
    return cycleStart(now, { interval: 'month', interval_count: 1 }, Number(months)) - now
  if (to !== 'next_renewal') return Number(seconds ?? Number(days ?? 0) * day)
  const next = nextRenewal(world)
  if (next === null) throw invalid('Nothing renews by the clock of the sandbox.', 'to')
  return Math.max(1, next + draftSeconds + 1 - now)
}

export const clockState = (world: World) => ({
  now: wallTime(world),
  offset: Number(setting(world, 'clock_offset') ?? 0),
  next_renewal: nextRenewal(world),
})

/** Moves the sandbox's own clock: a demo's month passes in one click. */
export function advanceClock({ world, body, webhooks }: Control): Reply {
  const seconds = step(world, body)
  if (!Number.isInteger(seconds) || seconds <= 0)
    throw invalid('Give seconds, days or months, more than 0, or next_renewal as `to`.', 'seconds')
  passTime(world, null, wallTime(world) + seconds)
  keepSetting(world, 'clock_offset', Number(setting(world, 'clock_offset') ?? 0) + seconds)
  world.store.flush()
  webhooks.pump()
  return { status: 200, body: clockState(world) }
}
