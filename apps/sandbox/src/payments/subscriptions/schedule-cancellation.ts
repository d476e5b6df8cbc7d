import { currentTime, type SandboxContext } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import type { Subscription } from '../../objects/billing-objects.ts'
import { periodEnd } from './subscription-lifecycle.ts'

const cancellationDetails = (subscription: Subscription, reason: string | null) => {
  const { comment = null, feedback = null } = subscription.cancellation_details ?? {}
  subscription.cancellation_details = { ...subscription.cancellation_details, comment, feedback, reason }
}

export function setCancelAtPeriodEnd(context: SandboxContext, subscription: Subscription, wanted: boolean) {
  if (wanted === subscription.cancel_at_period_end) return
  subscription.cancel_at_period_end = wanted
  subscription.cancel_at = wanted ? periodEnd(subscription) : null
  subscription.canceled_at = wanted ? currentTime(context, subscription.test_clock) : null
  cancellationDetails(subscription, wanted ? 'cancellation_requested' : null)
}

export function assertCancelAt(value: unknown, at: number) {
  if (typeof value === 'number' && value <= at) throw invalid('cancel_at must be in the future.', 'cancel_at')
}

/** A time, the name of a period's end, or null to keep the subscription. */
export function setCancelAt(
  context: SandboxContext,
  subscription: Subscription,
  value: number | string | null,
) {
  const at = currentTime(context, subscription.test_clock)
  assertCancelAt(value, at)
  subscription.cancel_at_period_end = false
  subscription.cancel_at =
    value === null || value === '' ? null : typeof value === 'number' ? value : periodEnd(subscription)
  subscription.canceled_at = subscription.cancel_at === null ? null : at
  cancellationDetails(subscription, subscription.cancel_at === null ? null : 'cancellation_requested')
}
