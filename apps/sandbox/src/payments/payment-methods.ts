import type Stripe from 'stripe'
import { invalid, missing, missingReference } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import type { PaymentMethod } from '../objects.ts'
import type { World } from '../world.ts'
import { namedCards, readCard } from './cards.ts'
import { customerById } from './find.ts'
import { mergeMetadata } from './params.ts'
import { attach, detach, newCard, paymentMethodById, today } from './saved-cards.ts'

route<Stripe.PaymentMethodCreateParams>(
  'POST',
  '/v1/payment_methods',
  'PaymentMethodCreateParams',
  ({ world, params }) => {
    if (params.type !== 'card' || !params.card)
      throw invalid('The sandbox knows cards only: give type=card and card.', 'type')
    const card = params.card
    const method = 'token' in card && card.token ? fromToken(world, card.token) : fromNumber(world, card)
    Object.assign(method.billing_details ?? {}, params.billing_details)
    method.metadata = mergeMetadata({}, params.metadata)
    return world.store.save(method)
  },
  { publishable: true },
)

function fromNumber(
  world: World,
  card: { number?: string; exp_month?: number; exp_year?: number; cvc?: string },
) {
  const { number, exp_month: month, exp_year: year } = card
  if (!number || month === undefined || year === undefined)
    throw invalid(
      'Missing required param: card[number], card[exp_month] and card[exp_year].',
      'card',
      'parameter_missing',
    )
  const bare = readCard({ number, exp_month: month, exp_year: year, cvc: card.cvc }, today(world))
  return newCard(world, bare, month, year, null)
}

function fromToken(world: World, id: string) {
  const number = namedCards[id]
  if (!number) throw missingReference('token', id, 'card[token]')
  return newCard(world, number, 12, today(world).getUTCFullYear() + 3, null)
}

function storedMethod(world: World, id: string): PaymentMethod {
  const method = world.store.get('payment_method', id)
  if (!method) throw missing('PaymentMethod', id, 'payment_method')
  return method
}

route('GET', '/v1/payment_methods/:id', 'PaymentMethodRetrieveParams', ({ world, id }) =>
  storedMethod(world, id),
)

route<Stripe.PaymentMethodListParams>(
  'GET',
  '/v1/payment_methods',
  'PaymentMethodListParams',
  ({ world, params, path }) => {
    const rows = world.store
      .all('payment_method')
      .filter(one => one.customer !== null && one.customer === (params.customer ?? one.customer))
    return page(rows, path, params)
  },
)

route<Stripe.CustomerListPaymentMethodsParams>(
  'GET',
  '/v1/customers/:id/payment_methods',
  'CustomerListPaymentMethodsParams',
  ({ world, params, id, path }) => {
    customerById(world, id)
    return page(
      world.store.all('payment_method').filter(one => one.customer === id),
      path,
      params,
    )
  },
)

route<Stripe.PaymentMethodAttachParams>(
  'POST',
  '/v1/payment_methods/:id/attach',
  'PaymentMethodAttachParams',
  ({ world, params, id }) => {
    if (!params.customer) throw invalid('Missing required param: customer.', 'customer', 'parameter_missing')
    const customer = customerById(world, params.customer, 'customer')
    return attach(world, paymentMethodById(world, id), customer.id)
  },
)

route('POST', '/v1/payment_methods/:id/detach', 'PaymentMethodDetachParams', ({ world, id }) => {
  const method = storedMethod(world, id)
  if (method.customer === null)
    throw invalid(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
      'payment_method',
      'payment_method_unexpected_state',
    )
  detach(world, method)
  return method
})
