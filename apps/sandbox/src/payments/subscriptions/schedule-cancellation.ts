import { currentTime, type SandboxContext } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import type { Subscription } from '../../objects/billing-objects.ts'
import { periodEnd } from './subscription-lifecycle.ts'

export function setCancelAtPeriodEnd(context: SandboxContext, subscription: Subscription, wanted: boolean) {
  if (wanted === subscription.cancel_at_period_end) return
  setEnd(context, subscription, wanted ? periodEnd(subscription) : null)
  subscription.cancel_at_period_end = wanted
}

/** A time, the name of a period's end, or null to keep the subscription. */
export function setCancelAt(
  context: SandboxContext,
  subscription: Subscription,
  value: number | string | null,
) {
  const now = currentTime(context, subscription.test_clock)
  if (typeof value === 'number' && value <= now)
    throw invalid('cancel_at must be in the future.', 'cancel_at')
  setEnd(context, subscription, typeof value === 'string' ? periodEnd(subscription) : value)
  subscription.cancel_at_period_end = false
}

function setEnd(context: SandboxContext, subscription: Subscription, end: number | null) {
  subscription.cancel_at = end
  subscription.canceled_at = end === null ? null : currentTime(context, subscription.test_clock)
  const reason = end === null ? null : 'cancellation_requested'
  subscription.cancellation_details = { ...subscription.cancellation_details, reason }
}
