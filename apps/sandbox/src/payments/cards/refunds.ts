import type Stripe from 'stripe'
import { newObject, type SandboxContext, sandboxTime } from '../../context.ts'
import { invalid, missingReference } from '../../http/api-error.ts'
import { isWanted, listRoute, retrieveRoute } from '../../http/object-routes.ts'
import { route } from '../../http/route.ts'
import type { PaymentIntent } from '../../objects/billing-objects.ts'
import type { Refund } from '../../objects/stored-objects.ts'
import { emitEvent } from '../events/emit-event.ts'
import { mergeMetadata } from '../params.ts'
import { chargeOf } from './charges.ts'

type Wanted = { amount?: number | undefined; reason?: string | undefined; metadata?: Record<string, string> }

/** Refunds a payment in full or in part. Refunds succeed at once. */
export function refundPayment(context: SandboxContext, intent: PaymentIntent, wanted: Wanted): Refund {
  if (intent.status !== 'succeeded')
    throw invalid(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      'payment_intent',
    )
  const charge = chargeOf(context, intent)
  if (charge.disputed && disputeOf(context, charge.id)?.status !== 'won')
    throw invalid(`The charge ${charge.id} is disputed and can't be refunded.`, undefined, 'charge_disputed')
  const left = charge.amount - charge.amount_refunded
  if (left === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded')
  const amount = wanted.amount ?? left
  if (amount <= 0 || amount > left)
    throw invalid(`Refund amount (${amount}) is greater than what is left of the charge (${left}).`, 'amount')
  const refund = newObject<Refund>('Refund', 're', {
    created: sandboxTime(context),
    amount,
    charge: charge.id,
    currency: intent.currency,
    customer: intent.customer,
    payment_intent: intent.id,
    reason: wanted.reason ?? null,
    status: 'succeeded',
    metadata: wanted.metadata ?? {},
  })
  context.store.save(refund)
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  context.store.save(charge)
  emitEvent(context, 'refund.created', refund)
  emitEvent(context, 'charge.refunded', charge)
  return refund
}

const disputeOf = (context: SandboxContext, charge: string) =>
  context.store.all('dispute').find(one => one.charge === charge)

route<Stripe.RefundCreateParams>('POST', '/v1/refunds', 'RefundCreateParams', ({ context, params }) => {
  const { payment_intent: id, reason, amount } = params
  if (!id)
    throw invalid('The sandbox requires payment_intent for a refund.', 'payment_intent', 'parameter_missing')
  const intent = context.store.get('payment_intent', id)
  if (!intent) throw missingReference('payment_intent', id, 'payment_intent')
  const metadata = mergeMetadata({}, params.metadata || undefined)
  return refundPayment(context, intent, { amount, reason, metadata })
})

listRoute('refund', (one, { payment_intent }: Stripe.RefundListParams) =>
  isWanted(payment_intent, one.payment_intent),
)
retrieveRoute('refund')
