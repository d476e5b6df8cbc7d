import { readSetting, type SandboxContext, sandboxTime, saveSetting } from '../context.ts'
import { invalid } from '../http/api-error.ts'
import { advanceTime } from '../payments/advance-time.ts'
import { draftSeconds } from '../payments/invoices/invoices.ts'
import { cycleStart } from '../payments/subscriptions/periods.ts'
import { periodEnd } from '../payments/subscriptions/subscription-lifecycle.ts'
import type { ControlCall, ControlReply } from './reply.ts'

const day = 86_400

/** The next end of a period on the sandbox's clock. Test clocks are advanced through the API. */
function nextRenewal(context: SandboxContext): number | null {
  const ends = context.store
    .all('subscription')
    .filter(
      one => one.test_clock === null && ['active', 'trialing', 'past_due', 'unpaid'].includes(one.status),
    )
    .map(periodEnd)
  return ends.length > 0 ? Math.min(...ends) : null
}

/** `next_renewal` advances past the renewal and its hour as a draft. */
function secondsToAdvance(
  context: SandboxContext,
  { to, months, days, seconds }: ControlCall['body'],
): number {
  const now = sandboxTime(context)
  if (months !== undefined)
    return cycleStart(now, { interval: 'month', interval_count: 1 }, Number(months)) - now
  if (to !== 'next_renewal') return Number(seconds ?? Number(days ?? 0) * day)
  const next = nextRenewal(context)
  if (next === null) throw invalid('No subscription renews on the clock of the sandbox.', 'to')
  return Math.max(1, next + draftSeconds + 1 - now)
}

export const clockState = (context: SandboxContext) => ({
  now: sandboxTime(context),
  offset: Number(readSetting(context, 'clock_offset') ?? 0),
  next_renewal: nextRenewal(context),
})

export function advanceClock({ context, body, webhooks }: ControlCall): ControlReply {
  const seconds = secondsToAdvance(context, body)
  if (!Number.isInteger(seconds) || seconds <= 0)
    throw invalid('Send seconds, days or months greater than 0, or `to: next_renewal`.', 'seconds')
  advanceTime(context, null, sandboxTime(context) + seconds)
  saveSetting(context, 'clock_offset', Number(readSetting(context, 'clock_offset') ?? 0) + seconds)
  context.store.flush()
  webhooks.sendPending()
  return { status: 200, body: clockState(context) }
}
