import type Stripe from 'stripe'
import type { SandboxContext } from '../../context.ts'
import { missing } from '../../http/api-error.ts'
import { paginate } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { Subscription, SubscriptionItem } from '../../objects/billing-objects.ts'
import { removeDiscounts } from '../discounts/discounts.ts'
import { saveAndEmit, snapshot } from '../events/emit-event.ts'
import { createSubscription } from './create-subscription.ts'
import { resumeSubscription } from './resume-subscription.ts'
import { cancelSubscription } from './subscription-lifecycle.ts'
import { updateSubscription } from './update-subscription.ts'

function subscriptionById(context: SandboxContext, id: string): Subscription {
  const subscription = context.store.get('subscription', id)
  if (!subscription) throw missing('subscription', id)
  return subscription
}

route<Stripe.SubscriptionCreateParams>(
  'POST',
  '/v1/subscriptions',
  'SubscriptionCreateParams',
  ({ context, params }) => createSubscription(context, params),
)

route('GET', '/v1/subscriptions/:id', 'SubscriptionRetrieveParams', ({ context, id }) =>
  subscriptionById(context, id),
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
  ({ context, params, path }) => {
    const { customer, price, plan, status, test_clock: clock, collection_method: method } = params
    const tax = params.automatic_tax?.enabled
    const rows = context.store
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
    return paginate(rows, path, params)
  },
)

route<Stripe.SubscriptionUpdateParams>(
  'POST',
  '/v1/subscriptions/:id',
  'SubscriptionUpdateParams',
  ({ context, params, id }) => updateSubscription(context, subscriptionById(context, id), params),
)

route<Stripe.SubscriptionCancelParams>(
  'DELETE',
  '/v1/subscriptions/:id',
  'SubscriptionCancelParams',
  ({ context, params, id }) => {
    const subscription = subscriptionById(context, id)
    if (subscription.ended_at !== null) throw missing('subscription', id)
    Object.assign(subscription.cancellation_details ?? {}, params.cancellation_details)
    cancelSubscription(context, subscription, 'cancellation_requested', {
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
  ({ context, params, id }) => resumeSubscription(context, subscriptionById(context, id), params),
)

route('DELETE', '/v1/subscriptions/:id/discount', 'SubscriptionDeleteDiscountParams', ({ context, id }) => {
  const subscription = subscriptionById(context, id)
  const before = snapshot(subscription)
  const dropped = removeDiscounts(context, subscription)
  if (!dropped) throw missing('discount', id)
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
  const { end: _end, ...rest } = dropped
  return { ...rest, deleted: true }
})

function itemById(
  context: SandboxContext,
  id: string,
): { subscription: Subscription; item: SubscriptionItem } {
  for (const subscription of context.store.all('subscription')) {
    const item = subscription.items.data.find(one => one.id === id)
    if (item) return { subscription, item }
  }
  throw missing('subscription_item', id)
}

route<Stripe.SubscriptionItemUpdateParams>(
  'POST',
  '/v1/subscription_items/:id',
  'SubscriptionItemUpdateParams',
  ({ context, params, id }) => {
    const { subscription } = itemById(context, id)
    const { price, quantity, metadata, proration_behavior, proration_date, payment_behavior } = params
    const shared = Object.fromEntries(
      Object.entries({ proration_behavior, proration_date, payment_behavior }).filter(
        ([, value]) => value !== undefined,
      ),
    )
    updateSubscription(context, subscription, { items: [{ id, price, quantity, metadata }], ...shared })
    return itemById(context, id).item
  },
)
