import type Stripe from 'stripe'
import { invalid, missing } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import type { PaymentIntent } from '../objects.ts'
import type { World } from '../world.ts'
import { followPayment } from './collection.ts'
import { assertMayTouch, attempt, cancelIntent, refusalOf } from './intents.ts'
import { attach, paymentMethodById } from './saved-cards.ts'

function paymentIntentById(world: World, id: string): PaymentIntent {
  const intent = world.store.get('payment_intent', id)
  if (!intent) throw missing('payment_intent', id, 'intent')
  return intent
}

route<Stripe.PaymentIntentListParams>(
  'GET',
  '/v1/payment_intents',
  'PaymentIntentListParams',
  ({ world, params, path }) => {
    const rows = world.store
      .all('payment_intent')
      .filter(one => !params.customer || one.customer === params.customer)
    return page(rows, path, params)
  },
)

route<Stripe.PaymentIntentRetrieveParams>(
  'GET',
  '/v1/payment_intents/:id',
  'PaymentIntentRetrieveParams',
  ({ world, id, publishable, clientSecret }) => {
    const intent = paymentIntentById(world, id)
    assertMayTouch(intent, publishable, clientSecret)
    return intent
  },
  { publishable: true },
)

route<Stripe.PaymentIntentConfirmParams>(
  'POST',
  '/v1/payment_intents/:id/confirm',
  'PaymentIntentConfirmParams',
  ({ world, params, id, publishable, clientSecret }) => {
    const intent = paymentIntentById(world, id)
    assertMayTouch(intent, publishable, clientSecret)
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw invalid(
        `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`,
        undefined,
        'payment_intent_unexpected_state',
      )
    const given = params.payment_method ?? intent.payment_method
    if (!given)
      throw invalid(
        'You cannot confirm this PaymentIntent because it is missing a payment method.',
        'payment_method',
        'parameter_missing',
      )
    if (params.return_url) intent._returnUrl = params.return_url
    const method = paymentMethodById(world, given)
    attempt(world, intent, method)
    // a card that was refused is not kept
    const kept = intent.status !== 'requires_payment_method' && intent.setup_future_usage
    if (kept && intent.customer) attach(world, method, intent.customer)
    followPayment(world, intent)
    const refusal = refusalOf(intent)
    if (refusal) throw refusal
    return intent
  },
  { publishable: true },
)

route<Stripe.PaymentIntentCancelParams>(
  'POST',
  '/v1/payment_intents/:id/cancel',
  'PaymentIntentCancelParams',
  ({ world, params, id }) => {
    const intent = paymentIntentById(world, id)
    if (intent._invoice)
      throw invalid(
        'This PaymentIntent belongs to an invoice: void the invoice instead.',
        undefined,
        'payment_intent_unexpected_state',
      )
    cancelIntent(world, intent, params.cancellation_reason ?? null)
    return intent
  },
)
