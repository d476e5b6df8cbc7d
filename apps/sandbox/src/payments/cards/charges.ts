import type Stripe from 'stripe'
import { currentTime, newObject, type SandboxContext } from '../../context.ts'
import { missing } from '../../http/api-error.ts'
import { paginate } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { PaymentIntent } from '../../objects/billing-objects.ts'
import type { Charge, Dispute } from '../../objects/charge-objects.ts'
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

route<Stripe.ChargeListParams>('GET', '/v1/charges', 'ChargeListParams', ({ context, params, path }) => {
  const { customer, payment_intent: intent } = params
  const rows = context.store
    .all('charge')
    .filter(one => (!customer || one.customer === customer) && (!intent || one.payment_intent === intent))
  return paginate(rows, path, params)
})

route('GET', '/v1/charges/:id', 'ChargeRetrieveParams', ({ context, id }) => {
  const charge = context.store.get('charge', id)
  if (!charge) throw missing('charge', id)
  return charge
})

function disputeById(context: SandboxContext, id: string): Dispute {
  const dispute = context.store.get('dispute', id)
  if (!dispute) throw missing('dispute', id)
  return dispute
}

route<Stripe.DisputeListParams>('GET', '/v1/disputes', 'DisputeListParams', ({ context, params, path }) => {
  const { payment_intent: intent, charge } = params
  const rows = context.store
    .all('dispute')
    .filter(one => (!intent || one.payment_intent === intent) && (!charge || one.charge === charge))
  return paginate(rows, path, params)
})

route('GET', '/v1/disputes/:id', 'DisputeRetrieveParams', ({ context, id }) => disputeById(context, id))

/** As at Stripe, the text `winning_evidence` or `losing_evidence` decides a test dispute. */
route<Stripe.DisputeUpdateParams>(
  'POST',
  '/v1/disputes/:id',
  'DisputeUpdateParams',
  ({ context, params, id }) => {
    const dispute = disputeById(context, id)
    const text = params.evidence?.uncategorized_text
    if (text === 'winning_evidence') endDispute(context, dispute, 'won')
    if (text === 'losing_evidence') endDispute(context, dispute, 'lost')
    return dispute
  },
)
