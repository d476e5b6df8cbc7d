import { currentTime, readSetting, type SandboxContext } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import type { Invoice, PaymentIntent, PaymentMethod, Subscription } from '../../objects/billing-objects.ts'
import { confirmIntent } from '../cards/intents.ts'
import { redeemPendingDiscounts } from '../discounts/discounts.ts'
import { emitEvent, saveAndEmit, snapshot } from '../events/emit-event.ts'
import { cancelPayment, intentOf, markPaid, markUncollectible, voidInvoice } from './invoices.ts'

const day = 86_400
/** Days between the retries of a failed renewal. */
const retryDays = [3, 5, 7] as const

/** The subscription's card, otherwise the customer's. */
export function defaultMethod(
  context: SandboxContext,
  subscription: Subscription,
): PaymentMethod | undefined {
  const customer = context.store.get('customer', subscription.customer)
  const id = subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method
  return id ? context.store.get('payment_method', id) : undefined
}

export const missingMethodError = () =>
  invalid(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    undefined,
    'resource_missing',
  )

export const subscriptionOf = (context: SandboxContext, invoice: Invoice) =>
  invoice._subscription ? context.store.get('subscription', invoice._subscription) : undefined

function setDelinquent(context: SandboxContext, id: string, delinquent: boolean) {
  const customer = context.store.get('customer', id)
  if (!customer || customer.deleted || customer.delinquent === delinquent) return
  const before = snapshot(customer)
  customer.delinquent = delinquent
  saveAndEmit(context, 'customer.updated', customer, before)
}

function applyPaid(context: SandboxContext, invoice: Invoice, subscription: Subscription) {
  const intent = intentOf(context, invoice)
  if (
    intent?.payment_method &&
    subscription.payment_settings?.save_default_payment_method === 'on_subscription'
  )
    subscription.default_payment_method = intent.payment_method
  const pending = subscription.pending_update
  if (pending?.subscription_items && subscription.latest_invoice === invoice.id) {
    subscription.items.data = pending.subscription_items
    subscription.billing_cycle_anchor = pending.billing_cycle_anchor ?? subscription.billing_cycle_anchor
    if (pending.trial_end !== null && subscription.status === 'trialing') {
      subscription.status = 'active'
      subscription.trial_end = pending.trial_end
    }
    subscription.pending_update = null
    redeemPendingDiscounts(context, subscription, invoice)
    emitEvent(context, 'customer.subscription.pending_update_applied', context.store.save(subscription))
  }
  if (subscription.status === 'incomplete') subscription.status = 'active'
  reactivateIfSettled(context, subscription)
  setDelinquent(context, invoice.customer, false)
}

/** The newest invoice that is not void decides: paid or uncollectible, the subscription is active again. */
function reactivateIfSettled(context: SandboxContext, subscription: Subscription) {
  if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return
  const newest = context.store
    .all('invoice')
    .filter(one => one._subscription === subscription.id && one.status !== 'void')
    .at(-1)
  if (!newest || newest.status === 'paid' || newest.status === 'uncollectible') subscription.status = 'active'
}

/** Updates the subscription after support voids an invoice or marks it uncollectible. */
export function applyInvoiceStatus(context: SandboxContext, invoice: Invoice) {
  const subscription = subscriptionOf(context, invoice)
  if (!subscription) return
  const before = snapshot(subscription)
  reactivateIfSettled(context, subscription)
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
}

/** Marks an invoice as paid that was paid elsewhere or credited in full, and cancels its payment. */
export function payOutOfBand(context: SandboxContext, invoice: Invoice) {
  const subscription = subscriptionOf(context, invoice)
  const before = subscription && snapshot(subscription)
  const elsewhere = invoice.amount_remaining
  cancelPayment(context, invoice)
  markPaid(context, invoice)
  if (elsewhere > 0) invoice.amount_paid_off_stripe = elsewhere
  context.store.save(invoice)
  if (!subscription || !before) return
  applyPaid(context, invoice, subscription)
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
}

/**
 * While collection is paused, a new invoice is not charged but treated as the pause says. Older invoices are still
 * collected.
 * @returns whether collection is paused
 */
export function applyCollectionPause(
  context: SandboxContext,
  invoice: Invoice,
  subscription: Subscription,
): boolean {
  const behavior = subscription.pause_collection?.behavior
  if (!behavior) return false
  invoice.auto_advance = false
  invoice.automatically_finalizes_at = null
  context.store.save(invoice)
  if (behavior === 'void') voidInvoice(context, invoice)
  if (behavior === 'mark_uncollectible') markUncollectible(context, invoice)
  return true
}

function scheduleRetry(context: SandboxContext, invoice: Invoice, subscription: Subscription) {
  const wait = retryDays[invoice.attempt_count - 1]
  invoice.next_payment_attempt =
    wait === undefined ? null : currentTime(context, invoice.test_clock) + wait * day
  if (wait !== undefined) return
  invoice.auto_advance = false
  const final = readSetting(context, 'dunning_final') ?? 'cancel'
  if (final === 'unpaid') subscription.status = 'unpaid'
  else if (final === 'cancel') endSubscription(context, subscription, 'payment_failed')
}

function applyFailed(context: SandboxContext, invoice: Invoice, subscription: Subscription) {
  if (subscription.pending_update && subscription.latest_invoice === invoice.id) return
  if (subscription.status === 'active' || subscription.status === 'trialing') subscription.status = 'past_due'
  setDelinquent(context, invoice.customer, true)
  if (invoice.billing_reason !== 'subscription_create' && subscription.status === 'past_due')
    scheduleRetry(context, invoice, subscription)
}

/** Updates an invoice and its subscription after a change of the payment's status. */
export function applyPaymentStatus(context: SandboxContext, intent: PaymentIntent, { announce = true } = {}) {
  const invoice = intent._invoice ? context.store.get('invoice', intent._invoice) : undefined
  if (!invoice || invoice.status === 'void' || invoice.status === 'paid') return
  const subscription = subscriptionOf(context, invoice)
  const before = subscription && snapshot(subscription)
  if (intent.status === 'succeeded') {
    markPaid(context, invoice)
    if (subscription) applyPaid(context, invoice, subscription)
  } else {
    invoice.attempted = true
    invoice.attempt_count += 1
    if (subscription) applyFailed(context, invoice, subscription)
    context.store.save(invoice)
    if (intent.status === 'requires_action') emitEvent(context, 'invoice.payment_action_required', invoice)
    emitEvent(context, 'invoice.payment_failed', invoice)
  }
  if (!subscription || !before) return
  if (announce && !(before.status !== 'canceled' && subscription.status === 'canceled'))
    saveAndEmit(context, 'customer.subscription.updated', subscription, before)
  else context.store.save(subscription)
}

/** Charges a finalized invoice to this card. */
export function collectPayment(
  context: SandboxContext,
  invoice: Invoice,
  method: PaymentMethod | undefined,
  { announce = true } = {},
) {
  const intent = intentOf(context, invoice)
  const subscription = subscriptionOf(context, invoice)
  if (!intent || invoice.amount_due === 0) {
    const before = subscription && snapshot(subscription)
    markPaid(context, invoice)
    if (!subscription || !before) return
    applyPaid(context, invoice, subscription)
    if (announce) saveAndEmit(context, 'customer.subscription.updated', subscription, before)
    else context.store.save(subscription)
    return
  }
  if (method) confirmIntent(context, intent, method)
  applyPaymentStatus(context, intent, { announce })
}

export function endSubscription(
  context: SandboxContext,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
) {
  const at = currentTime(context, subscription.test_clock)
  subscription.status = 'canceled'
  subscription.ended_at = at
  subscription.canceled_at ??= at
  subscription.pending_update = null
  subscription.cancellation_details = { ...subscription.cancellation_details, reason }
  context.store.save(subscription)
  for (const invoice of context.store.all('invoice'))
    if (
      invoice._subscription === subscription.id &&
      (invoice.status === 'open' || invoice.status === 'draft')
    ) {
      invoice.auto_advance = false
      invoice.next_payment_attempt = null
      invoice.automatically_finalizes_at = null
      context.store.save(invoice)
    }
  emitEvent(context, 'customer.subscription.deleted', subscription)
}
