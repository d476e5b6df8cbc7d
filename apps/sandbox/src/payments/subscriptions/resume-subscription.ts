import type Stripe from 'stripe'
import { currentTime, type SandboxContext } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import type { Subscription } from '../../objects/billing-objects.ts'
import { saveAndEmit, snapshot } from '../events/emit-event.ts'
import {
  collectPayment,
  defaultMethod,
  missingMethodError,
  reactivateSubscription,
} from '../invoices/collect-payment.ts'
import { isMetered, licensedLines } from '../invoices/invoice-lines.ts'
import { finalizeInvoice } from '../invoices/invoices.ts'
import { invoiceFor, startPeriod } from './subscription-lifecycle.ts'

/** Starts a new period. The subscription is active after the payment attempt or, if requested, after the payment. */
export function resumeSubscription(
  context: SandboxContext,
  subscription: Subscription,
  { billing_cycle_anchor: anchor, payment_behavior: behaviour }: Stripe.SubscriptionResumeParams,
): Subscription {
  if (subscription.status !== 'paused')
    throw invalid(`You can only resume paused subscriptions. This one is ${subscription.status}.`)
  if (anchor?.type === 'unchanged')
    throw invalid('The sandbox does not support this value.', 'billing_cycle_anchor[type]')
  const method = defaultMethod(context, subscription)
  if (!method) throw missingMethodError()
  const before = snapshot(subscription)
  const at = currentTime(context, subscription.test_clock)
  subscription.billing_cycle_anchor = at
  startPeriod(subscription, at)
  const lines = subscription.items.data
    .filter(item => !isMetered(item))
    .flatMap(item => licensedLines(context, subscription, item))
  const invoice = finalizeInvoice(context, invoiceFor(context, subscription, 'subscription_update', lines))
  if (behaviour !== 'resume_on_payment_success') reactivateSubscription(context, subscription)
  collectPayment(context, invoice, method, { announce: false })
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
  return subscription
}
