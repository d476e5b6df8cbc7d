import type Stripe from 'stripe'
import { type CardRefusal, cardRefusalOf } from './errors.ts'

/** How an end was planned: for the end of the period, or by date alone as the provider's own portal does. */
export type PlannedEnd = 'period' | 'date'

/** A card as its holder knows it again. */
export type CardFace = { brand: string; last4: string; expMonth: number; expYear: number }

/** A saved card. The fingerprint is the same for one number wherever it is entered. */
export type Card = { id: string; fingerprint: string | null }

/** A payment, or the setting up of a card without one, that the cardholder may have to confirm. */
export type Confirmation = {
  id: string
  /** Opens it to the browser; as secret as a password for this one payment. */
  clientSecret: string
  status: 'succeeded' | 'requires_action' | 'refused' | 'canceled' | 'processing'
  refusal: CardRefusal
}

/** What a subscription owes; the amount in minor units, with tax. */
export type Due = {
  /** The invoices that it is the sum of. */
  owed: { id: string; amount: number; currency: string }[]
  amount: number
  currency: string
  /** How many invoices that is. */
  invoices: number
  /** When the card is charged again; null: no more. */
  nextAttempt: Date | null
  /** The provider's own page of the invoice, where it can be paid and confirmed. */
  page: string | null
}

/** One price of a subscription; what is metered has no quantity. */
type ProviderItem = { id: string; price: string; metered: boolean }

/** A subscription as the provider knows it at this moment. Times are UTC, amounts minor units. */
export type ProviderSubscription = {
  id: string
  customer: string
  status: string
  attemptId: string | null
  /** Our plan, from the price's metadata or its lookup key. */
  planKey: string | null
  lookupKey: string | null
  seats: number
  seatPrice: number
  interval: 'month' | 'year' | null
  items: ProviderItem[]
  /** Whether its end is planned, by either of the provider's two names for that. */
  cancelAtPeriodEnd: boolean
  /** How that end was planned; null without one. */
  plannedEnd: PlannedEnd | null
  /** A change that takes effect when the newest invoice is paid. */
  pendingUpdate: boolean
  /** Support has paused collection: nothing is charged. */
  collectionPaused: boolean
  /** When collection goes on by itself; null without a date. */
  collectionResumesAt: Date | null
  /** When it ends, where that is planned. */
  endsAt: Date | null
  periodStart: Date | null
  periodEnd: Date | null
  trialEnd: Date | null
  /** The card that is charged; null where there is none, or it was not read along. */
  card: CardFace | null
  /** It has ended because a payment never came through. */
  endedUnpaid: boolean
  /** The newest invoice, and how its payment stands; null where there is nothing to pay. */
  invoiceId: string | null
  paymentId: string | null
  /** What is left to pay of that invoice; null where nothing is. */
  due: Due | null
}

/** Whether a subscription of that status waits for its newest invoice to be paid. */
export const isOwing = (status: string) => ['past_due', 'unpaid', 'incomplete'].includes(status)

export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)
/** It charges nothing any more and takes no change. */
export const hasEnded = ({ status }: Stripe.Subscription): boolean =>
  status === 'canceled' || status === 'incomplete_expired'
export const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000)
export const dateOf = (seconds: number | null | undefined): Date | null =>
  seconds === null || seconds === undefined ? null : new Date(seconds * 1000)

function toDue(invoice: Stripe.Invoice | null): Due | null {
  if (invoice?.status !== 'open' || invoice.amount_remaining <= 0) return null
  return {
    owed: [{ id: invoice.id, amount: invoice.amount_remaining, currency: invoice.currency }],
    amount: invoice.amount_remaining,
    currency: invoice.currency,
    invoices: 1,
    nextAttempt: dateOf(invoice.next_payment_attempt),
    page: invoice.hosted_invoice_url ?? null,
  }
}

export function toCard(method: Stripe.PaymentMethod): Card {
  return { id: method.id, fingerprint: method.card?.fingerprint ?? null }
}

export function faceOf(method: string | Stripe.PaymentMethod | null | undefined): CardFace | null {
  if (!method || typeof method === 'string' || !method.card) return null
  const { brand, last4, exp_month, exp_year } = method.card
  return { brand, last4, expMonth: exp_month, expYear: exp_year }
}

export function toConfirmation(intent: Stripe.PaymentIntent | Stripe.SetupIntent): Confirmation {
  const error = intent.object === 'payment_intent' ? intent.last_payment_error : intent.last_setup_error
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    status: standing(intent.status),
    // Never tried, for there is no card to try.
    refusal: error ? cardRefusalOf(error) : 'card_required',
  }
}

function standing(status: string): Confirmation['status'] {
  if (status === 'succeeded' || status === 'requires_action' || status === 'canceled') return status
  return status === 'requires_payment_method' ? 'refused' : 'processing'
}

const intervalOf = (interval: string | undefined) =>
  interval === 'month' || interval === 'year' ? interval : null

export function toSubscription(found: Stripe.Subscription): ProviderSubscription {
  // Periods stand on the items; a scale subscription has a licensed and a metered one.
  const items = found.items.data
  const base = baseItemOf(items) ?? items[0]
  const invoice = found.latest_invoice
  const open = typeof invoice === 'object' ? invoice : null
  const payer = typeof found.customer === 'object' && !found.customer.deleted ? found.customer : null
  const payment = open?.payments?.data.find(one => one.is_default) ?? open?.payments?.data[0]
  return {
    id: found.id,
    customer: idOf(found.customer) ?? '',
    status: found.status,
    attemptId: found.metadata.attempt_id ?? null,
    planKey: base?.price.metadata.plan ?? null,
    lookupKey: base?.price.lookup_key ?? null,
    seats: base?.quantity ?? 1,
    seatPrice: base?.price.unit_amount ?? 0,
    interval: intervalOf(base?.price.recurring?.interval),
    items: items.map(({ id, price }) => ({
      id,
      price: price.id,
      metered: isMetered(price),
    })),
    // A date set in the provider's own portal shows only as cancel_at.
    cancelAtPeriodEnd: found.cancel_at_period_end || found.cancel_at !== null,
    plannedEnd: found.cancel_at_period_end ? 'period' : found.cancel_at !== null ? 'date' : null,
    pendingUpdate: found.pending_update !== null,
    collectionPaused: found.pause_collection !== null,
    collectionResumesAt: dateOf(found.pause_collection?.resumes_at),
    endsAt: dateOf(found.cancel_at) ?? (found.cancel_at_period_end ? dateOf(base?.current_period_end) : null),
    periodStart: dateOf(base?.current_period_start),
    periodEnd: dateOf(base?.current_period_end),
    trialEnd: dateOf(found.trial_end),
    card: faceOf(found.default_payment_method) ?? faceOf(payer?.invoice_settings.default_payment_method),
    endedUnpaid: found.status === 'canceled' && found.cancellation_details?.reason === 'payment_failed',
    invoiceId: idOf(invoice),
    paymentId: idOf(payment?.payment.payment_intent),
    due: toDue(open),
  }
}

const isMetered = (price: Stripe.Price) => price.recurring?.usage_type === 'metered'

/** The item of a subscription whose quantity is the seats; the others are metered usage. */
export const baseItemOf = (items: readonly Stripe.SubscriptionItem[]) =>
  items.find(({ price }) => !isMetered(price))
