import type Stripe from 'stripe'
import { missing } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import type { Subscription, SubscriptionItem } from '../objects.ts'
import type { World } from '../world.ts'
import { dropDiscounts } from './discounts.ts'
import { saveChanged, snapshot } from './events.ts'
import { updateSubscription } from './subscription-change.ts'
import { createSubscription } from './subscription-create.ts'
import { cancelNow } from './subscription-life.ts'
import { resumeSubscription } from './subscription-resume.ts'

function subscriptionById(world: World, id: string): Subscription {
  const subscription = world.store.get('subscription', id)
  if (!subscription) throw missing('subscription', id)
  return subscription
}

route<Stripe.SubscriptionCreateParams>(
  'POST',
  '/v1/subscriptions',
  'SubscriptionCreateParams',
  ({ world, params }) => createSubscription(world, params),
)

route('GET', '/v1/subscriptions/:id', 'SubscriptionRetrieveParams', ({ world, id }) =>
  subscriptionById(world, id),
)

const isWanted = (subscription: Subscription, status: string | undefined) => {
  if (status === 'all') return true
  if (status === 'ended') return ['canceled', 'incomplete_expired'].includes(subscription.status)
  return status === undefined ? subscription.status !== 'canceled' : subscription.status === status
}

route<Stripe.SubscriptionListParams>(
  'GET',
  '/v1/subscriptions',
  'SubscriptionListParams',
  ({ world, params, path }) => {
    const { customer, price, plan, status, test_clock: clock, collection_method: method } = params
    const tax = params.automatic_tax?.enabled
    const rows = world.store
      .all('subscription')
      .filter(
        one =>
          isWanted(one, status) &&
          (!customer || one.customer === customer) &&
          [price, plan].every(id => !id || one.items.data.some(item => item.price.id === id)) &&
          (!method || one.collection_method === method) &&
          (tax === undefined || one.automatic_tax.enabled === tax) &&
          (!clock || one.test_clock === clock),
      )
    return page(rows, path, params)
  },
)

route<Stripe.SubscriptionUpdateParams>(
  'POST',
  '/v1/subscriptions/:id',
  'SubscriptionUpdateParams',
  ({ world, params, id }) => updateSubscription(world, subscriptionById(world, id), params),
)

route<Stripe.SubscriptionCancelParams>(
  'DELETE',
  '/v1/subscriptions/:id',
  'SubscriptionCancelParams',
  ({ world, params, id }) => {
    const subscription = subscriptionById(world, id)
    if (subscription.ended_at !== null) throw missing('subscription', id)
    Object.assign(subscription.cancellation_details ?? {}, params.cancellation_details)
    cancelNow(world, subscription, 'cancellation_requested', {
      invoiceNow: params.invoice_now,
      prorate: params.prorate,
    })
    return subscription
  },
)

route<Stripe.SubscriptionResumeParams>(
  'POST',
  '/v1/subscriptions/:id/resume',
  'SubscriptionResumeParams',
  ({ world, params, id }) => resumeSubscription(world, subscriptionById(world, id), params),
)

route('DELETE', '/v1/subscriptions/:id/discount', 'SubscriptionDeleteDiscountParams', ({ world, id }) => {
  const subscription = subscriptionById(world, id)
  const before = snapshot(subscription)
  const dropped = dropDiscounts(world, subscription)
  if (!dropped) throw missing('discount', id)
  saveChanged(world, 'customer.subscription.updated', subscription, before)
  const { end: _end, ...rest } = dropped
  return { ...rest, deleted: true }
})

function itemById(world: World, id: string): { subscription: Subscription; item: SubscriptionItem } {
  for (const subscription of world.store.all('subscription')) {
    const item = subscription.items.data.find(one => one.id === id)
    if (item) return { subscription, item }
  }
  throw missing('subscription_item', id)
}

route<Stripe.SubscriptionItemUpdateParams>(
  'POST',
  '/v1/subscription_items/:id',
  'SubscriptionItemUpdateParams',
  ({ world, params, id }) => {
    const { subscription } = itemById(world, id)
    const { price, quantity, metadata, proration_behavior, proration_date, payment_behavior } = params
    const shared = Object.fromEntries(
      Object.entries({ proration_behavior, proration_date, payment_behavior }).filter(
        ([, value]) => value !== undefined,
      ),
    )
    updateSubscription(world, subscription, { items: [{ id, price, quantity, metadata }], ...shared })
    return itemById(world, id).item
  },
)
