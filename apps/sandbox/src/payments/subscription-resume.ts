import type Stripe from 'stripe'
import { invalid } from '../http/api-error.ts'
import type { Subscription } from '../objects.ts'
import { now, type World } from '../world.ts'
import { collect, defaultMethod, goOn, noMethodError } from './collection.ts'
import { saveChanged, snapshot } from './events.ts'
import { isMetered, licensedLines } from './invoice-lines.ts'
import { finalize } from './invoices.ts'
import { invoiceFor, startPeriod } from './subscription-life.ts'

/** Begins a new period now. The subscription goes on once its invoice was tried, or, if asked to wait, once it is paid. */
export function resumeSubscription(
  world: World,
  subscription: Subscription,
  { billing_cycle_anchor: anchor, payment_behavior: behaviour }: Stripe.SubscriptionResumeParams,
): Subscription {
  if (subscription.status !== 'paused')
    throw invalid(`You can only resume paused subscriptions. This one is ${subscription.status}.`)
  if (anchor?.type === 'unchanged')
    throw invalid(
      'Stripe knows this value, but the sandbox does not act on it.',
      'billing_cycle_anchor[type]',
    )
  const method = defaultMethod(world, subscription)
  if (!method) throw noMethodError()
  const before = snapshot(subscription)
  const at = now(world, subscription.test_clock)
  subscription.billing_cycle_anchor = at
  startPeriod(subscription, at)
  const lines = subscription.items.data
    .filter(item => !isMetered(item))
    .flatMap(item => licensedLines(world, subscription, item))
  const invoice = finalize(world, invoiceFor(world, subscription, 'subscription_update', lines))
  if (behaviour !== 'resume_on_payment_success') goOn(world, subscription)
  collect(world, invoice, method, { announce: false })
  saveChanged(world, 'customer.subscription.updated', subscription, before)
  return subscription
}
