import { isPlanId, type PlanId, planOf } from '@plinth/contract/plans'
import type { Services } from '../../../context.ts'
import type { ItemChange, PlanChange, ProviderSubscription } from '../../../integrations/stripe/payments.ts'
import { invariant } from '../../../lib/invariant.ts'
import type * as attempts from '../core/attempt-store.ts'
import { pricesOf } from './catalogue.ts'
import { moveToPlan } from './rules.ts'

type Target = Pick<attempts.Attempt, 'plan' | 'seats' | 'proration_date' | 'promotion_id'>

/** The change that moves a subscription to a plan, for a preview or the real call. */
export async function planChangeOf(
  services: Services,
  target: Target,
  subscription: ProviderSubscription,
): Promise<PlanChange> {
  const { plan, seats, proration_date: prorationDate, promotion_id: promotion } = target
  if (!isPlanId(plan)) throw new Error(`A change is for no plan of ours: ${plan}`)
  const items = await itemsFor(services, plan, seats, subscription)
  const { status, interval, seatPrice, seats: paid } = subscription
  return {
    items,
    prorationDate,
    promotion,
    undoes: subscription.plannedEnd,
    ...moveToPlan(planOf(plan), seats, { status, interval, price: seatPrice * paid }),
  }
}

/** Items keep their ids: a price without an id would be charged beside the existing ones. */
async function itemsFor(services: Services, plan: PlanId, seats: number, subscription: ProviderSubscription) {
  const prices = await pricesOf(services, planOf(plan))
  const base = invariant(
    subscription.items.find(item => !item.metered),
    'an item that is paid in advance',
  )
  const items: ItemChange[] = [{ id: base.id, price: prices.base, quantity: seats }]
  const metered = subscription.items.filter(item => item.metered)
  for (const { id, price } of metered) if (price !== prices.metered) items.push({ id, deleted: true })
  // Metered usage has no quantity: the meter counts it.
  if (prices.metered && !metered.some(item => item.price === prices.metered))
    items.push({ price: prices.metered })
  return items
}
