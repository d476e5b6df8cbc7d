import type Stripe from 'stripe'
import { missing } from '../../http/api-error.ts'
import { findById, isWanted, listRoute, retrieveRoute } from '../../http/object-routes.ts'
import { route } from '../../http/route.ts'
import type { Subscription } from '../../objects/billing-objects.ts'
import { createSubscription } from './create-subscription.ts'
import { cancelSubscription } from './subscription-lifecycle.ts'
import { updateSubscription } from './update-subscription.ts'

route<Stripe.SubscriptionCreateParams>(
  'POST',
  '/v1/subscriptions',
  'SubscriptionCreateParams',
  ({ context, params }) => createSubscription(context, params),
)

retrieveRoute('subscription')

const hasStatus = ({ status }: Subscription, wanted: string | undefined) =>
  wanted === 'all' || (wanted === undefined ? status !== 'canceled' : status === wanted)

listRoute(
  'subscription',
  (one, { customer, status }: Stripe.SubscriptionListParams) =>
    hasStatus(one, status) && isWanted(customer, one.customer),
)

route<Stripe.SubscriptionUpdateParams>(
  'POST',
  '/v1/subscriptions/:id',
  'SubscriptionUpdateParams',
  ({ context, params, id }) => updateSubscription(context, findById(context, 'subscription', id), params),
)

route<Stripe.SubscriptionCancelParams>(
  'DELETE',
  '/v1/subscriptions/:id',
  'SubscriptionCancelParams',
  ({ context, params, id }) => {
    const subscription = findById(context, 'subscription', id)
    if (subscription.ended_at !== null) throw missing('subscription', id)
    cancelSubscription(context, subscription, { invoiceNow: params.invoice_now })
    return subscription
  },
)

route<Stripe.SubscriptionItemUpdateParams>(
  'POST',
  '/v1/subscription_items/:id',
  'SubscriptionItemUpdateParams',
  ({ context, params: { quantity, proration_behavior = 'create_prorations' }, id }) => {
    const itemOf = (one: Subscription) => one.items.data.find(item => item.id === id)
    const subscription = context.store.all('subscription').find(itemOf)
    if (!subscription) throw missing('subscription_item', id)
    updateSubscription(context, subscription, { items: [{ id, quantity }], proration_behavior })
    return itemOf(subscription)
  },
)
