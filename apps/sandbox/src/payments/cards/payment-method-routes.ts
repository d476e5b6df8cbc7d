import type Stripe from 'stripe'
import type { SandboxContext } from '../../context.ts'
import { invalid, missingReference } from '../../http/api-error.ts'
import { findById, isWanted, listRoute, retrieveRoute } from '../../http/object-routes.ts'
import { paginate } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import { customerById } from '../find-by-id.ts'
import {
  attachCard,
  currentDate,
  detachCard,
  newCard,
  newNamedCard,
  paymentMethodById,
} from './saved-cards.ts'
import { namedCards, validateCard } from './test-cards.ts'

route<Stripe.PaymentMethodCreateParams>(
  'POST',
  '/v1/payment_methods',
  'PaymentMethodCreateParams',
  ({ context, params: { type, card } }) => {
    if (type !== 'card' || !card)
      throw invalid('The sandbox supports cards only: send type=card and card.', 'type')
    const token = 'token' in card ? card.token : undefined
    return context.store.save(token ? fromToken(context, token) : fromNumber(context, card))
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
  return newCard(context, bare, month, year)
}

function fromToken(context: SandboxContext, id: string) {
  const number = namedCards[id]
  if (!number) throw missingReference('token', id, 'card[token]')
  return newNamedCard(context, number)
}

listRoute(
  'payment_method',
  (one, { customer }: Stripe.PaymentMethodListParams) =>
    one.customer !== null && isWanted(customer, one.customer),
)
retrieveRoute('payment_method')

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
  const method = findById(context, 'payment_method', id)
  if (method.customer === null)
    throw invalid(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
      'payment_method',
      'payment_method_unexpected_state',
    )
  detachCard(context, method)
  return method
})
