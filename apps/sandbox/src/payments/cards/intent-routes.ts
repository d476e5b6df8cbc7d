import type Stripe from 'stripe'
import { invalid } from '../../http/api-error.ts'
import { findById, isWanted, listRoute } from '../../http/object-routes.ts'
import { route } from '../../http/route.ts'
import { definitionNameOf } from '../../schema/definitions.ts'
import { customerById } from '../find-by-id.ts'
import { mergeMetadata } from '../params.ts'
import { assertClientSecret, cancelIntent, confirmIntent, intentError, newSetupIntent } from './intents.ts'
import { paymentMethodById } from './saved-cards.ts'

for (const kind of ['payment_intent', 'setup_intent'] as const)
  route(
    'GET',
    `/v1/${kind}s/:id`,
    `${definitionNameOf(kind, false)}RetrieveParams`,
    ({ context, id, publishable, clientSecret }) => {
      const intent = findById(context, kind, id)
      assertClientSecret(intent, publishable, clientSecret)
      return intent
    },
    { publishable: true },
  )

listRoute('payment_intent', (one, { customer }: Stripe.PaymentIntentListParams) =>
  isWanted(customer, one.customer),
)

/** Creates and confirms a setup intent. */
route<Stripe.SetupIntentCreateParams>(
  'POST',
  '/v1/setup_intents',
  'SetupIntentCreateParams',
  ({ context, params }) => {
    const { customer, payment_method: card } = params
    if (!customer || !card || !params.confirm)
      throw invalid('The sandbox requires customer, payment_method and confirm=true.', 'confirm')
    const method = paymentMethodById(context, card)
    const intent = newSetupIntent(context, {
      customer: customerById(context, customer, 'customer').id,
      payment_method: method.id,
      metadata: mergeMetadata({}, params.metadata),
    })
    Object.assign(intent, { automatic_payment_methods: params.automatic_payment_methods ?? null })
    confirmIntent(context, intent, method)
    const refusal = intentError(intent)
    if (refusal) throw refusal
    return intent
  },
)

route('POST', '/v1/setup_intents/:id/cancel', 'SetupIntentCancelParams', ({ context, id }) => {
  const intent = findById(context, 'setup_intent', id)
  cancelIntent(context, intent, null)
  return intent
})
