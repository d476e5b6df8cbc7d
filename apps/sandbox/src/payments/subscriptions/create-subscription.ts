import type Stripe from 'stripe'
import { currentTime, newObject, type SandboxContext } from '../../context.ts'
import { ApiError, invalid } from '../../http/api-error.ts'
import type { Customer, PaymentMethod, Subscription } from '../../objects/billing-objects.ts'
import type { Discount } from '../../objects/discount-objects.ts'
import { confirmIntent, intentError, newSetupIntent } from '../cards/intents.ts'
import { paymentMethodById } from '../cards/saved-cards.ts'
import { testCardOf } from '../cards/test-cards.ts'
import { readDiscounts, setDiscounts, undoRedemptions } from '../discounts/discounts.ts'
import { emitEvent } from '../events/emit-event.ts'
import { customerById } from '../find-by-id.ts'
import {
  collectPayment,
  defaultMethod,
  endSubscription,
  missingMethodError,
} from '../invoices/collect-payment.ts'
import { isMetered, licensedLines } from '../invoices/invoice-lines.ts'
import { finalizeInvoice, intentOf } from '../invoices/invoices.ts'
import { mergeMetadata } from '../params.ts'
import { assertLocation, setTax } from '../taxes/taxes.ts'
import { assertCancelAt, setCancelAtPeriodEnd } from './schedule-cancellation.ts'
import { itemList, newItem } from './subscription-items.ts'
import { invoiceFor, startPeriod } from './subscription-lifecycle.ts'

type Params = Stripe.SubscriptionCreateParams

const day = 86_400

export function ownMethod(
  context: SandboxContext,
  id: string,
  customer: Customer,
  param: string,
): PaymentMethod {
  const method = paymentMethodById(context, id, param)
  if (method.customer !== customer.id)
    throw invalid(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      param,
      'resource_missing',
    )
  return method
}

function trialEnd(params: Params, at: number): number | null {
  if (typeof params.trial_end === 'number') {
    if (params.trial_end <= at)
      throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', 'trial_end')
    return params.trial_end
  }
  if (params.trial_period_days !== undefined && params.trial_end !== 'now')
    return params.trial_period_days > 0 ? at + params.trial_period_days * day : null
  return null
}

export function buildSubscription(context: SandboxContext, customer: Customer, params: Params): Subscription {
  const at = currentTime(context, customer.test_clock)
  const trial = trialEnd(params, at)
  const flexible = params.billing_mode?.type !== 'classic'
  const subscription = newObject<Subscription>('Subscription', 'sub', {
    created: at,
    start_date: at,
    billing_cycle_anchor: trial ?? at,
    billing_mode: { type: flexible ? 'flexible' : 'classic' },
    cancel_at_period_end: false,
    collection_method: params.collection_method === 'send_invoice' ? 'send_invoice' : 'charge_automatically',
    customer: customer.id,
    metadata: mergeMetadata({}, params.metadata),
    status: trial ? 'trialing' : 'incomplete',
    test_clock: customer.test_clock,
    trial_start: trial ? at : null,
    trial_end: trial,
    currency: '',
    _trialNoticeSent: false,
    _pendingLines: [],
  })
  const wish = params.trial_settings?.end_behavior.missing_payment_method
  const save = params.payment_settings?.save_default_payment_method
  Object.assign(subscription, {
    billing_mode: {
      type: subscription.billing_mode.type,
      flexible: flexible ? { proration_discounts: 'included' } : null,
    },
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    description: params.description ?? null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    managed_payments: { enabled: false },
    payment_settings: {
      payment_method_options: null,
      payment_method_types: params.payment_settings?.payment_method_types ?? null,
      save_default_payment_method: save ?? 'off',
    },
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: wish ?? 'create_invoice' },
    },
  })
  setTax(context, subscription, params)
  addItems(context, subscription, params, at)
  return subscription
}

function addItems(context: SandboxContext, subscription: Subscription, params: Params, at: number) {
  if (!params.items || params.items.length === 0)
    throw invalid('Missing required param: items.', 'items', 'parameter_missing')
  const items = params.items.map((input, index) => {
    const { price, quantity, metadata } = input
    const item = newItem(context, subscription, { price, quantity, metadata }, at, `items[${index}]`)
    subscription.currency = item.price.currency
    return item
  })
  if (params.currency && params.currency.toLowerCase() !== subscription.currency)
    throw invalid(
      `The prices are in \`${subscription.currency}\`, which doesn't match the currency of the subscription: \`${params.currency}\`.`,
      'currency',
    )
  subscription.items = itemList(subscription.id, items)
  if (subscription.trial_end === null) return startPeriod(subscription, at)
  for (const item of items) item.current_period_end = subscription.trial_end
}

/** A trial charges nothing, but a card that needs 3D Secure is confirmed at the start. */
function prepareCard(context: SandboxContext, subscription: Subscription, method: PaymentMethod | undefined) {
  const behaviour = method && testCardOf(method._number).behaviour
  if (behaviour === 'succeeds' || method?._setUp) return
  const intent = newSetupIntent(context, {
    customer: subscription.customer,
    payment_method: method?.id ?? null,
  })
  if (method) confirmIntent(context, intent, method)
  if (intent.status !== 'succeeded') subscription.pending_setup_intent = intent.id
}

export function createSubscription(context: SandboxContext, params: Params): Subscription {
  if (!params.customer) throw invalid('Missing required param: customer.', 'customer', 'parameter_missing')
  const customer = customerById(context, params.customer, 'customer')
  const subscription = buildSubscription(context, customer, params)
  if (params.default_payment_method)
    subscription.default_payment_method = ownMethod(
      context,
      params.default_payment_method,
      customer,
      'default_payment_method',
    ).id
  assertCancelAt(params.cancel_at, subscription.created)
  const automatic = subscription.collection_method === 'charge_automatically'
  const waits = params.payment_behavior === 'default_incomplete'
  const free = subscription.trial_end !== null
  const method = defaultMethod(context, subscription)
  const lines = subscription.items.data
    .filter(item => !isMetered(item))
    .flatMap(item => licensedLines(context, subscription, item, free))
  const costs = lines.some(line => line.amount > 0)
  assertLocation(subscription.automatic_tax.enabled, customer)
  const discounts = readDiscounts(context, params.discounts ?? null, {
    customer,
    subscription,
    currency: subscription.currency,
    at: subscription.created,
    subtotal: lines.reduce((sum, line) => sum + line.amount, 0),
  })
  if (automatic && !method && !waits && costs) throw missingMethodError()
  context.store.save(subscription)
  setDiscounts(context, subscription, discounts)
  const invoice = finalizeInvoice(context, invoiceFor(context, subscription, 'subscription_create', lines))
  if (free) prepareCard(context, subscription, method)
  if (invoice.amount_due === 0) collectPayment(context, invoice, undefined, { announce: false })
  else if (automatic && !waits) collectPayment(context, invoice, method, { announce: false })
  else if (!automatic) subscription.status = 'active'
  if (subscription.status === 'incomplete' && params.payment_behavior === 'error_if_incomplete')
    refuseIncomplete(context, subscription, discounts)
  if (params.cancel_at_period_end) setCancelAtPeriodEnd(context, subscription, true)
  if (typeof params.cancel_at === 'number') subscription.cancel_at = params.cancel_at
  emitEvent(context, 'customer.subscription.created', context.store.save(subscription))
  return subscription
}

function refuseIncomplete(
  context: SandboxContext,
  subscription: Subscription,
  discounts: readonly Discount[],
): never {
  const intent = intentOf(context, context.store.get('invoice', subscription.latest_invoice ?? ''))
  const refusal =
    (intent && intentError(intent)) ??
    new ApiError(402, {
      type: 'card_error',
      code: 'subscription_payment_intent_requires_action',
      message:
        'Payment for this subscription requires additional user action before it can be completed successfully.',
    })
  endSubscription(context, subscription, 'payment_failed')
  undoRedemptions(context, discounts)
  context.store.remove('subscription', subscription.id)
  throw refusal
}
