import type Stripe from 'stripe'
import type { SandboxContext } from '../../context.ts'
import { missing } from '../../http/api-error.ts'
import { paginate } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { PaymentIntent } from '../../objects/billing-objects.ts'
import { assertClientSecret } from './intents.ts'

function paymentIntentById(context: SandboxContext, id: string): PaymentIntent {
  const intent = context.store.get('payment_intent', id)
  if (!intent) throw missing('payment_intent', id, 'intent')
  return intent
}

route<Stripe.PaymentIntentListParams>(
  'GET',
  '/v1/payment_intents',
  'PaymentIntentListParams',
  ({ context, params, path }) => {
    const rows = context.store
      .all('payment_intent')
      .filter(one => !params.customer || one.customer === params.customer)
    return paginate(rows, path, params)
  },
)

route<Stripe.PaymentIntentRetrieveParams>(
  'GET',
  '/v1/payment_intents/:id',
  'PaymentIntentRetrieveParams',
  ({ context, id, publishable, clientSecret }) => {
    const intent = paymentIntentById(context, id)
    assertClientSecret(intent, publishable, clientSecret)
    return intent
  },
  { publishable: true },
)
