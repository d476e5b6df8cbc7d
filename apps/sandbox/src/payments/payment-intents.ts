import type Stripe from 'stripe'
import { missing } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import type { PaymentIntent } from '../objects.ts'
import type { World } from '../world.ts'
import { assertMayTouch } from './intents.ts'

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
