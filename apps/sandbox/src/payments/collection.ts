import { invalid } from '../http/api-error.ts'
import type { Invoice, PaymentIntent, PaymentMethod, Subscription } from '../objects.ts'
import { now, setting, type World } from '../world.ts'
import { redeemPending } from './discounts.ts'
import { emit, saveChanged, snapshot } from './events.ts'
import { attempt } from './intents.ts'
import { cancelPayment, intentOf, markPaid, markUncollectible, voidInvoice } from './invoices.ts'

const day = 86_400
/** When a failed renewal is tried again, in days after the last failure. */
const retryDays = [3, 5, 7] as const

/** The card an invoice would be paid with: the subscription's own before the customer's. */
export function defaultMethod(world: World, subscription: Subscription): PaymentMethod | undefined {
  const customer = world.store.get('customer', subscription.customer)
  const id = subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method
  return id ? world.store.get('payment_method', id) : undefined
}

export const noMethodError = () =>
  invalid(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    undefined,
    'resource_missing',
  )

const subscriptionOf = (world: World, invoice: Invoice) =>
  invoice._subscription ? world.store.get('subscription', invoice._subscription) : undefined

function setDelinquent(world: World, id: string, delinquent: boolean) {
  const customer = world.store.get('customer', id)
  if (!customer || customer.deleted || customer.delinquent === delinquent) return
  const before = snapshot(customer)
  customer.delinquent = delinquent
  saveChanged(world, 'customer.updated', customer, before)
}

/** The end of a pause. */
export function goOn(world: World, subscription: Subscription) {
  subscription.status = 'active'
  emit(world, 'customer.subscription.resumed', world.store.save(subscription))
}

function applyPaid(world: World, invoice: Invoice, subscription: Subscription) {
  const intent = intentOf(world, invoice)
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
    redeemPending(world, subscription, invoice)
    emit(world, 'customer.subscription.pending_update_applied', world.store.save(subscription))
  }
  if (subscription.status === 'incomplete') subscription.status = 'active'
  if (subscription.status === 'paused' && subscription.latest_invoice === invoice.id)
    goOn(world, subscription)
  goOnIfSettled(world, subscription)
  setDelinquent(world, invoice.customer, false)
}

/** Whether a subscription owes is decided by its newest invoice that is not void: paid or written off, it goes on. */
function goOnIfSettled(world: World, subscription: Subscription) {
  if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return
  const newest = world.store
    .all('invoice')
    .filter(one => one._subscription === subscription.id && one.status !== 'void')
    .at(-1)
  if (!newest || newest.status === 'paid' || newest.status === 'uncollectible') subscription.status = 'active'
}

/** After an invoice was voided or written off by hand. */
export function followInvoice(world: World, invoice: Invoice) {
  const subscription = subscriptionOf(world, invoice)
  if (!subscription) return
  const before = snapshot(subscription)
  goOnIfSettled(world, subscription)
  saveChanged(world, 'customer.subscription.updated', subscription, before)
}

/** An invoice that was paid elsewhere, or credited whole: its own payment is withdrawn. */
export function payByHand(world: World, invoice: Invoice) {
  const subscription = subscriptionOf(world, invoice)
  const before = subscription && snapshot(subscription)
  const elsewhere = invoice.amount_remaining
  cancelPayment(world, invoice)
  markPaid(world, invoice)
  if (elsewhere > 0) invoice.amount_paid_off_stripe = elsewhere
  world.store.save(invoice)
  if (!subscription || !before) return
  applyPaid(world, invoice, subscription)
  saveChanged(world, 'customer.subscription.updated', subscription, before)
}

/**
 * An invoice that comes while collection is paused is not charged: it ends as the pause says. Older ones go on.
 * @returns whether it is held back
 */
export function holdBack(world: World, invoice: Invoice, subscription: Subscription): boolean {
  const behavior = subscription.pause_collection?.behavior
  if (!behavior) return false
  invoice.auto_advance = false
  invoice.automatically_finalizes_at = null
  world.store.save(invoice)
  if (behavior === 'void') voidInvoice(world, invoice)
  if (behavior === 'mark_uncollectible') markUncollectible(world, invoice)
  return true
}

function scheduleRetry(world: World, invoice: Invoice, subscription: Subscription) {
  const wait = retryDays[invoice.attempt_count - 1]
  invoice.next_payment_attempt = wait === undefined ? null : now(world, invoice.test_clock) + wait * day
  if (wait !== undefined) return
  invoice.auto_advance = false
  const final = setting(world, 'dunning_final') ?? 'cancel'
  if (final === 'unpaid') subscription.status = 'unpaid'
  else if (final === 'cancel') endSubscription(world, subscription, 'payment_failed')
}

function applyFailed(world: World, invoice: Invoice, subscription: Subscription) {
  if (subscription.pending_update && subscription.latest_invoice === invoice.id) return
  if (subscription.status === 'active' || subscription.status === 'trialing') subscription.status = 'past_due'
  setDelinquent(world, invoice.customer, true)
  if (invoice.billing_reason !== 'subscription_create' && subscription.status === 'past_due')
    scheduleRetry(world, invoice, subscription)
}

/** What a new state of its payment means for an invoice and its subscription. */
export function followPayment(world: World, intent: PaymentIntent, { announce = true } = {}) {
  const invoice = intent._invoice ? world.store.get('invoice', intent._invoice) : undefined
  if (!invoice || invoice.status === 'void' || invoice.status === 'paid') return
  const subscription = subscriptionOf(world, invoice)
  const before = subscription && snapshot(subscription)
  if (intent.status === 'succeeded') {
    markPaid(world, invoice)
    if (subscription) applyPaid(world, invoice, subscription)
  } else {
    invoice.attempted = true
    invoice.attempt_count += 1
    if (subscription) applyFailed(world, invoice, subscription)
    world.store.save(invoice)
    if (intent.status === 'requires_action') emit(world, 'invoice.payment_action_required', invoice)
    emit(world, 'invoice.payment_failed', invoice)
  }
  if (!subscription || !before) return
  if (announce && !(before.status !== 'canceled' && subscription.status === 'canceled'))
    saveChanged(world, 'customer.subscription.updated', subscription, before)
  else world.store.save(subscription)
}

/** Pays a finalized invoice with this card, or says that there is nothing left to pay. */
export function collect(
  world: World,
  invoice: Invoice,
  method: PaymentMethod | undefined,
  { announce = true } = {},
) {
  const intent = intentOf(world, invoice)
  const subscription = subscriptionOf(world, invoice)
  if (!intent || invoice.amount_due === 0) {
    const before = subscription && snapshot(subscription)
    markPaid(world, invoice)
    if (!subscription || !before) return
    applyPaid(world, invoice, subscription)
    if (announce) saveChanged(world, 'customer.subscription.updated', subscription, before)
    else world.store.save(subscription)
    return
  }
  if (method) attempt(world, intent, method)
  followPayment(world, intent, { announce })
}

/** The end of a subscription, whatever brought it about. */
export function endSubscription(
  world: World,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
) {
  const at = now(world, subscription.test_clock)
  subscription.status = 'canceled'
  subscription.ended_at = at
  subscription.canceled_at ??= at
  subscription.pending_update = null
  const { comment = null, feedback = null } = subscription.cancellation_details ?? {}
  subscription.cancellation_details = { ...subscription.cancellation_details, comment, feedback, reason }
  world.store.save(subscription)
  for (const invoice of world.store.all('invoice'))
    if (
      invoice._subscription === subscription.id &&
      (invoice.status === 'open' || invoice.status === 'draft')
    ) {
      invoice.auto_advance = false
      invoice.next_payment_attempt = null
      invoice.automatically_finalizes_at = null
      world.store.save(invoice)
    }
  emit(world, 'customer.subscription.deleted', subscription)
}
