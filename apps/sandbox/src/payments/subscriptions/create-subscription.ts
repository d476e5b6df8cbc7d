import type Stripe from 'stripe'
import { currentTime, newObject, type SandboxContext } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import type { Customer, PaymentMethod, Subscription } from '../../objects/billing-objects.ts'
import { confirmIntent, newSetupIntent } from '../cards/intents.ts'
import { ownMethod } from '../cards/saved-cards.ts'
import { testCardOf } from '../cards/test-cards.ts'
import { readDiscounts, setDiscounts } from '../discounts/discounts.ts'
import { emitEvent } from '../events/emit-event.ts'
import { customerById } from '../find-by-id.ts'
import { collectPayment, defaultMethod, missingMethodError } from '../invoices/collect-payment.ts'
import { isMetered, licensedLines } from '../invoices/invoice-lines.ts'
import { finalizeInvoice } from '../invoices/invoices.ts'
import { mergeMetadata } from '../params.ts'
import { itemList, newItem } from './subscription-items.ts'
import { invoiceFor, startPeriod } from './subscription-lifecycle.ts'

type Params = Stripe.SubscriptionCreateParams

const day = 86_400

export function buildSubscription(context: SandboxContext, customer: Customer, params: Params): Subscription {
  const at = currentTime(context, customer.test_clock)
  const trial = params.trial_period_days ? at + params.trial_period_days * day : null
  const subscription = newObject<Subscription>('Subscription', 'sub', {
    created: at,
    start_date: at,
    billing_cycle_anchor: trial ?? at,
    cancel_at_period_end: false,
    collection_method: 'charge_automatically',
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
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
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
      payment_method_types: null,
      save_default_payment_method: save ?? 'off',
    },
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: wish ?? 'create_invoice' },
    },
  })
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
  const free = subscription.trial_end !== null
  const method = defaultMethod(context, subscription)
  const lines = subscription.items.data
    .filter(item => !isMetered(item))
    .flatMap(item => licensedLines(context, subscription, item, free))
  const costs = lines.some(line => line.amount > 0)
  const discounts = readDiscounts(context, params.discounts ?? null, {
    customer,
    subscription,
    currency: subscription.currency,
    at: subscription.created,
    subtotal: lines.reduce((sum, line) => sum + line.amount, 0),
  })
  if (!method && costs) throw missingMethodError()
  context.store.save(subscription)
  setDiscounts(context, subscription, discounts)
  const invoice = finalizeInvoice(context, invoiceFor(context, subscription, 'subscription_create', lines))
  if (free) prepareCard(context, subscription, method)
  collectPayment(context, invoice, method, { announce: false })
  emitEvent(context, 'customer.subscription.created', context.store.save(subscription))
  return subscription
}
