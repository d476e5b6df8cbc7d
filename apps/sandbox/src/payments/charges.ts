import type Stripe from 'stripe'
import type { Charge, Dispute } from '../charge-objects.ts'
import { missing } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import type { PaymentIntent } from '../objects.ts'
import { make, now, type World } from '../world.ts'
import { emit, saveChanged, snapshot } from './events.ts'

/** The charge of a payment that went through; one of before the sandbox kept charges gets its own now. */
export function chargeOf(world: World, intent: PaymentIntent): Charge {
  const known = intent.latest_charge ? world.store.get('charge', intent.latest_charge) : undefined
  if (known) return known
  const charge = make<Charge>('Charge', 'ch', {
    created: now(world, clockOf(world, intent.customer)),
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
  world.store.save(charge)
  intent.latest_charge = charge.id
  world.store.save(intent)
  emit(world, 'charge.succeeded', charge, { at: charge.created })
  return charge
}

const clockOf = (world: World, customer: string | null) =>
  customer === null ? null : (world.store.get('customer', customer)?.test_clock ?? null)

/** The cardholder asks the bank for the money of a charge. */
export function openDispute(world: World, charge: Charge): Dispute {
  charge.disputed = true
  world.store.save(charge)
  const dispute = make<Dispute>('Dispute', 'du', {
    created: charge.created,
    amount: charge.amount,
    charge: charge.id,
    currency: charge.currency,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  })
  world.store.save(dispute)
  emit(world, 'charge.dispute.created', dispute, { at: charge.created })
  return dispute
}

function endDispute(world: World, dispute: Dispute, status: 'won' | 'lost') {
  if (dispute.status === status) return
  const before = snapshot(dispute)
  dispute.status = status
  saveChanged(world, 'charge.dispute.updated', dispute, before)
  emit(world, 'charge.dispute.closed', dispute)
}

route<Stripe.ChargeListParams>('GET', '/v1/charges', 'ChargeListParams', ({ world, params, path }) => {
  const { customer, payment_intent: intent, created } = params
  const rows = world.store
    .all('charge')
    .filter(one => (!customer || one.customer === customer) && (!intent || one.payment_intent === intent))
    .filter(one => within(one.created, created))
  return page(rows, path, params)
})

function within(time: number, wanted: Stripe.ChargeListParams['created']): boolean {
  if (wanted === undefined) return true
  if (typeof wanted === 'number') return time === wanted
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = wanted
  return time > gt && time >= gte && time < lt && time <= lte
}

route('GET', '/v1/charges/:id', 'ChargeRetrieveParams', ({ world, id }) => {
  const charge = world.store.get('charge', id)
  if (!charge) throw missing('charge', id)
  return charge
})

function disputeById(world: World, id: string): Dispute {
  const dispute = world.store.get('dispute', id)
  if (!dispute) throw missing('dispute', id)
  return dispute
}

route<Stripe.DisputeListParams>('GET', '/v1/disputes', 'DisputeListParams', ({ world, params, path }) => {
  const { payment_intent: intent, charge } = params
  const rows = world.store
    .all('dispute')
    .filter(one => (!intent || one.payment_intent === intent) && (!charge || one.charge === charge))
  return page(rows, path, params)
})

route('GET', '/v1/disputes/:id', 'DisputeRetrieveParams', ({ world, id }) => disputeById(world, id))

/** Stripe's own words decide a test dispute: `winning_evidence` or `losing_evidence` as its uncategorized text. */
route<Stripe.DisputeUpdateParams>(
  'POST',
  '/v1/disputes/:id',
  'DisputeUpdateParams',
  ({ world, params, id }) => {
    const dispute = disputeById(world, id)
    const text = params.evidence?.uncategorized_text
    if (text === 'winning_evidence') endDispute(world, dispute, 'won')
    if (text === 'losing_evidence') endDispute(world, dispute, 'lost')
    return dispute
  },
)
