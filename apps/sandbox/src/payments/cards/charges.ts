import type Stripe from 'stripe'
import { currentTime, newObject, type SandboxContext } from '../../context.ts'
import { findById, isWanted, listRoute, retrieveRoute } from '../../http/object-routes.ts'
import { route } from '../../http/route.ts'
import type { PaymentIntent } from '../../objects/billing-objects.ts'
import type { Charge, Dispute } from '../../objects/stored-objects.ts'
import { emitEvent, saveAndEmit, snapshot } from '../events/emit-event.ts'
import { clockOfCustomer } from '../find-by-id.ts'

/** Returns or creates the charge of a successful payment. */
export function chargeOf(context: SandboxContext, intent: PaymentIntent): Charge {
  const known = intent.latest_charge ? context.store.get('charge', intent.latest_charge) : undefined
  if (known) return known
  const charge = newObject<Charge>('Charge', 'ch', {
    created: currentTime(context, clockOfCustomer(context, intent.customer)),
    amount: intent.amount,
    amount_captured: intent.amount,
    captured: true,
    currency: intent.currency,
    customer: intent.customer,
    metadata: {},
    paid: true,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    status: 'succeeded',
  })
  context.store.save(charge)
  intent.latest_charge = charge.id
  context.store.save(intent)
  emitEvent(context, 'charge.succeeded', charge, { at: charge.created })
  return charge
}

export function openDispute(context: SandboxContext, charge: Charge): Dispute {
  charge.disputed = true
  context.store.save(charge)
  const dispute = newObject<Dispute>('Dispute', 'du', {
    created: charge.created,
    amount: charge.amount,
    charge: charge.id,
    currency: charge.currency,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  })
  context.store.save(dispute)
  emitEvent(context, 'charge.dispute.created', dispute, { at: charge.created })
  return dispute
}

function endDispute(context: SandboxContext, dispute: Dispute, status: 'won' | 'lost') {
  if (dispute.status === status) return
  const before = snapshot(dispute)
  dispute.status = status
  saveAndEmit(context, 'charge.dispute.updated', dispute, before)
  emitEvent(context, 'charge.dispute.closed', dispute)
}

listRoute(
  'charge',
  (one, { created, customer, payment_intent }: Stripe.ChargeListParams) =>
    one.created >= (typeof created === 'object' ? (created.gte ?? 0) : 0) &&
    isWanted(customer, one.customer) &&
    isWanted(payment_intent, one.payment_intent),
)
retrieveRoute('charge')

listRoute('dispute', (one, { payment_intent }: Stripe.DisputeListParams) =>
  isWanted(payment_intent, one.payment_intent),
)
retrieveRoute('dispute')

/** As at Stripe, the text `winning_evidence` or `losing_evidence` decides a test dispute. */
route<Stripe.DisputeUpdateParams>(
  'POST',
  '/v1/disputes/:id',
  'DisputeUpdateParams',
  ({ context, params, id }) => {
    const dispute = findById(context, 'dispute', id)
    const text = params.evidence?.uncategorized_text
    if (text === 'winning_evidence') endDispute(context, dispute, 'won')
    if (text === 'losing_evidence') endDispute(context, dispute, 'lost')
    return dispute
  },
)
