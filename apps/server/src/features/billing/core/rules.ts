import { isPlanId, type Plan, type PlanId, planIds, planOf } from '@plinth/contract/plans'

export type DisplayStatus = 'active' | 'trialing' | 'requires_payment_method' | 'requires_action' | 'canceled'

/**
 * The status for screens and access rules, from the provider's status and the payment that is due.
 * @param payment status of the newest invoice's payment, null when there is none
 */
export function displayStatus(provider: string, payment: string | null): DisplayStatus {
  if (provider === 'active' || provider === 'trialing') return provider
  if (provider === 'canceled' || provider === 'incomplete_expired') return 'canceled'
  return payment === 'requires_action' && provider !== 'paused'
    ? 'requires_action'
    : 'requires_payment_method'
}

/** Whether a subscription still binds the account and the provider. */
export const isLive = (row: { provider_sub_id: string | null; status: string } | undefined): boolean =>
  row !== undefined && row.provider_sub_id !== null && row.status !== 'canceled'

export const isRunning = (provider: string) => provider === 'active' || provider === 'trialing'
export const hasEnded = (provider: string) => provider === 'canceled' || provider === 'incomplete_expired'

/** Our plan for a price. A lookup key moves to the newest price, so the price's metadata comes first. */
export function planOfPrice(price: { planKey: string | null; lookupKey: string | null }): PlanId | null {
  if (isPlanId(price.planKey)) return price.planKey
  return price.lookupKey === null
    ? null
    : (planIds.find(id => planOf(id).lookup_key === price.lookupKey) ?? null)
}

export type SyncAction = 'update' | 'to_free' | 'record' | 'orphan' | 'extra' | 'ignore'

/**
 * Decides the meaning of a fresh read for an account. docs/billing.md explains the actions.
 * @param known the account's row, undefined before the first plan
 * @param attempt state of the attempt that created the subscription, null when no attempt did
 */
export function decideSyncAction(
  known: { provider_sub_id: string | null; status: string; pending_plan: string | null } | undefined,
  attempt: string | null,
  subscription: { id: string; status: string },
): SyncAction {
  if (known && known.provider_sub_id === subscription.id) {
    return hasEnded(subscription.status) && known.pending_plan === 'free' ? 'to_free' : 'update'
  }
  if (!isRunning(subscription.status)) return 'ignore'
  // We rolled the attempt back, but the provider completed it.
  if (attempt === 'failed') return 'orphan'
  return isLive(known) ? 'extra' : 'record'
}

/** Seats of a subscription: members for a plan sold by the seat, one for any other. */
export const seatsFor = (plan: Plan, memberships: number): number =>
  plan.type === 'per_seat' ? Math.max(1, memberships) : 1

export type Target = { plan: string | null; card_token: string | null; replaced_at: Date | null }
export type ProviderState = {
  status: string
  plan: PlanId | null
  cancelAtPeriodEnd: boolean
  pendingUpdate: boolean
}

/** Whether the provider has the target of a plan change. */
export function fulfils(target: Target, state: ProviderState): boolean {
  if (target.card_token !== null && target.replaced_at === null) return false
  if (target.plan === 'free') return state.cancelAtPeriodEnd
  return state.plan === target.plan && !state.cancelAtPeriodEnd && !state.pendingUpdate
}

/** Compares promotion codes as the provider does: case-insensitive. */
export const isSamePromotionCode = (one: string | null, other: string | null): boolean =>
  (one ?? '').toLowerCase() === (other ?? '').toLowerCase()
