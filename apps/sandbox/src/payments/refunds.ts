import type Stripe from 'stripe'
import { invalid, missing, missingReference } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import type { Refund } from '../objects.ts'
import { make, wallTime } from '../world.ts'
import { emit } from './events.ts'
import { mergeMetadata } from './params.ts'

/** Money goes back at once and always arrives; what was given back in parts adds up to the payment at most. */
route<Stripe.RefundCreateParams>('POST', '/v1/refunds', 'RefundCreateParams', ({ world, params }) => {
  const { payment_intent: id, reason } = params
  if (!id) throw invalid('The sandbox refunds by payment_intent.', 'payment_intent', 'parameter_missing')
  const intent = world.store.get('payment_intent', id)
  if (!intent) throw missingReference('payment_intent', id, 'payment_intent')
  if (intent.status !== 'succeeded')
    throw invalid(`This PaymentIntent (${id}) does not have a successful charge to refund.`, 'payment_intent')
  const given = world.store.all('refund').filter(one => one.payment_intent === id)
  const left = intent.amount_received - given.reduce((sum, one) => sum + one.amount, 0)
  if (left === 0)
    throw invalid(`The charge of ${id} has already been refunded.`, undefined, 'charge_already_refunded')
  const amount = params.amount ?? left
  if (amount <= 0 || amount > left)
    throw invalid(`Refund amount (${amount}) is greater than what is left of the charge (${left}).`, 'amount')
  const refund = make<Refund>('Refund', 're', {
    created: wallTime(world),
    amount,
    currency: intent.currency,
    payment_intent: id,
    reason: reason ?? null,
    status: 'succeeded',
    metadata: mergeMetadata({}, params.metadata || undefined),
  })
  world.store.save(refund)
  emit(world, 'refund.created', refund)
  return refund
})

route<Stripe.RefundListParams>('GET', '/v1/refunds', 'RefundListParams', ({ world, params, path }) => {
  const { payment_intent: id } = params
  return page(
    world.store.all('refund').filter(one => !id || one.payment_intent === id),
    path,
    params,
  )
})

route('GET', '/v1/refunds/:id', 'RefundRetrieveParams', ({ world, id }) => {
  const refund = world.store.get('refund', id)
  if (!refund) throw missing('refund', id)
  return refund
})
