import type Stripe from 'stripe'
import type { SandboxContext } from '../../context.ts'
import { invalid, missing, missingReference } from '../../http/api-error.ts'
import { paginate } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { PaymentMethod } from '../../objects/billing-objects.ts'
import { customerById } from '../find-by-id.ts'
import { mergeMetadata } from '../params.ts'
import { attachCard, currentDate, detachCard, newCard, paymentMethodById } from './saved-cards.ts'
import { namedCards, validateCard } from './test-cards.ts'

route<Stripe.PaymentMethodCreateParams>(
  'POST',
  '/v1/payment_methods',
  'PaymentMethodCreateParams',
  ({ context, params }) => {
    if (params.type !== 'card' || !params.card)
      throw invalid('The sandbox supports cards only: send type=card and card.', 'type')
    const card = params.card
    const method = 'token' in card && card.token ? fromToken(context, card.token) : fromNumber(context, card)
    Object.assign(method.billing_details ?? {}, params.billing_details)
    method.metadata = mergeMetadata({}, params.metadata)
    return context.store.save(method)
  },
  { publishable: true },
)

function fromNumber(
  context: SandboxContext,
  card: { number?: string; exp_month?: number; exp_year?: number; cvc?: string },
) {
  const { number, exp_month: month, exp_year: year } = card
  if (!number || month === undefined || year === undefined)
    throw invalid(
      'Missing required param: card[number], card[exp_month] and card[exp_year].',
      'card',
      'parameter_missing',
    )
  const bare = validateCard({ number, exp_month: month, exp_year: year, cvc: card.cvc }, currentDate(context))
  return newCard(context, bare, month, year, null)
}

function fromToken(context: SandboxContext, id: string) {
  const number = namedCards[id]
  if (!number) throw missingReference('token', id, 'card[token]')
  return newCard(context, number, 12, currentDate(context).getUTCFullYear() + 3, null)
}

function storedMethod(context: SandboxContext, id: string): PaymentMethod {
  const method = context.store.get('payment_method', id)
  if (!method) throw missing('PaymentMethod', id, 'payment_method')
  return method
}

route('GET', '/v1/payment_methods/:id', 'PaymentMethodRetrieveParams', ({ context, id }) =>
  storedMethod(context, id),
)

route<Stripe.PaymentMethodListParams>(
  'GET',
  '/v1/payment_methods',
  'PaymentMethodListParams',
  ({ context, params, path }) => {
    const rows = context.store
      .all('payment_method')
      .filter(one => one.customer !== null && one.customer === (params.customer ?? one.customer))
    return paginate(rows, path, params)
  },
)

route<Stripe.CustomerListPaymentMethodsParams>(
  'GET',
  '/v1/customers/:id/payment_methods',
  'CustomerListPaymentMethodsParams',
  ({ context, params, id, path }) => {
    customerById(context, id)
    return paginate(
      context.store.all('payment_method').filter(one => one.customer === id),
      path,
      params,
    )
  },
)

route<Stripe.PaymentMethodAttachParams>(
  'POST',
  '/v1/payment_methods/:id/attach',
  'PaymentMethodAttachParams',
  ({ context, params, id }) => {
    if (!params.customer) throw invalid('Missing required param: customer.', 'customer', 'parameter_missing')
    const customer = customerById(context, params.customer, 'customer')
    return attachCard(context, paymentMethodById(context, id), customer.id)
  },
)

route('POST', '/v1/payment_methods/:id/detach', 'PaymentMethodDetachParams', ({ context, id }) => {
  const method = storedMethod(context, id)
  if (method.customer === null)
    throw invalid(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
      'payment_method',
      'payment_method_unexpected_state',
    )
  detachCard(context, method)
  return method
})
