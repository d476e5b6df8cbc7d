import { invalid } from '../http/api-error.ts'
import type { Subscription } from '../objects.ts'
import { now, type World } from '../world.ts'
import { periodEnd } from './subscription-life.ts'

const note = (subscription: Subscription, reason: string | null) => {
  const { comment = null, feedback = null } = subscription.cancellation_details ?? {}
  subscription.cancellation_details = { ...subscription.cancellation_details, comment, feedback, reason }
}

export function setCancelAtPeriodEnd(world: World, subscription: Subscription, wanted: boolean) {
  if (wanted === subscription.cancel_at_period_end) return
  subscription.cancel_at_period_end = wanted
  subscription.cancel_at = wanted ? periodEnd(subscription) : null
  subscription.canceled_at = wanted ? now(world, subscription.test_clock) : null
  note(subscription, wanted ? 'cancellation_requested' : null)
}

export function assertCancelAt(value: unknown, at: number) {
  if (typeof value === 'number' && value <= at) throw invalid('cancel_at must be in the future.', 'cancel_at')
}

/** A date of its own, the end of a period by name, or null to stay. */
export function setCancelAt(world: World, subscription: Subscription, value: number | string | null) {
  const at = now(world, subscription.test_clock)
  assertCancelAt(value, at)
  subscription.cancel_at_period_end = false
  subscription.cancel_at =
    value === null || value === '' ? null : typeof value === 'number' ? value : periodEnd(subscription)
  subscription.canceled_at = subscription.cancel_at === null ? null : at
  note(subscription, subscription.cancel_at === null ? null : 'cancellation_requested')
}
