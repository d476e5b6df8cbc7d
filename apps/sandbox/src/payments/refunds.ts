import type Stripe from 'stripe'
import type { Refund } from '../charge-objects.ts'
import { invalid, missing, missingReference } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import type { PaymentIntent } from '../objects.ts'
import { make, type World, wallTime } from '../world.ts'
import { chargeOf } from './charges.ts'
import { emit } from './events.ts'
import { mergeMetadata } from './params.ts'

type Wanted = { amount?: number | undefined; reason?: string | undefined; metadata?: Record<string, string> }

/** Gives a payment back, whole or in part. Money goes back at once and always arrives. */
export function refundPayment(world: World, intent: PaymentIntent, wanted: Wanted): Refund {
  if (intent.status !== 'succeeded')
    throw invalid(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      'payment_intent',
    )
  const charge = chargeOf(world, intent)
  if (charge.disputed && disputeOf(world, charge.id)?.status !== 'won')
    throw invalid(`The charge ${charge.id} is disputed and can't be refunded.`, undefined, 'charge_disputed')
  const left = charge.amount - charge.amount_refunded
  if (left === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded')
  const amount = wanted.amount ?? left
  if (amount <= 0 || amount > left)
    throw invalid(`Refund amount (${amount}) is greater than what is left of the charge (${left}).`, 'amount')
  const refund = make<Refund>('Refund', 're', {
    created: wallTime(world),
    amount,
    charge: charge.id,
    currency: intent.currency,
    customer: intent.customer,
    payment_intent: intent.id,
    reason: wanted.reason ?? null,
    status: 'succeeded',
    metadata: wanted.metadata ?? {},
  })
  world.store.save(refund)
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  world.store.save(charge)
  emit(world, 'refund.created', refund)
  emit(world, 'charge.refunded', charge)
  return refund
}

const disputeOf = (world: World, charge: string) =>
  world.store.all('dispute').find(one => one.charge === charge)

route<Stripe.RefundCreateParams>('POST', '/v1/refunds', 'RefundCreateParams', ({ world, params }) => {
  const { payment_intent: id, reason, amount } = params
  if (!id) throw invalid('The sandbox refunds by payment_intent.', 'payment_intent', 'parameter_missing')
  const intent = world.store.get('payment_intent', id)
  if (!intent) throw missingReference('payment_intent', id, 'payment_intent')
  const metadata = mergeMetadata({}, params.metadata || undefined)
  return refundPayment(world, intent, { amount, reason, metadata })
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
