import type Stripe from 'stripe'
import { type CardRefusal, cardRefusalOf } from './errors.ts'

/** How an end was planned: with the period, or by date as in the provider's portal. */
export type PlannedEnd = 'period' | 'date'

/** The visible data of a card. */
export type CardFace = { brand: string; last4: string; expMonth: number; expYear: number }

/** A saved card. The fingerprint identifies the card number. */
export type Card = { id: string; fingerprint: string | null }

/** A payment or card setup that the cardholder may have to confirm. */
export type Confirmation = {
  id: string
  /** For the browser; as secret as a password for this payment. */
  clientSecret: string
  status: 'succeeded' | 'requires_action' | 'refused' | 'canceled' | 'processing'
  refusal: CardRefusal
}

/** The debt of a subscription; the amount in minor units with tax. */
export type Due = {
  /** The unpaid invoices. */
  owed: { id: string; amount: number; currency: string }[]
  amount: number
  currency: string
  /** Number of summed invoices. */
  invoices: number
  /** The next automatic try; null for none. */
  nextAttempt: Date | null
  /** The provider's page where the invoice can be paid and confirmed. */
  page: string | null
}

/** One price of a subscription; a metered one has no quantity. */
type ProviderItem = { id: string; price: string; metered: boolean }

/** A fresh read of a subscription. Times are UTC, amounts minor units. */
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
  /** Whether its end is planned, by either field of the provider. */
  cancelAtPeriodEnd: boolean
  /** How that end was planned; null without one. */
  plannedEnd: PlannedEnd | null
  /** A change waits for the payment of the newest invoice. */
  pendingUpdate: boolean
  /** Support has paused collection: nothing is charged. */
  collectionPaused: boolean
  /** When collection resumes by itself; null without a date. */
  collectionResumesAt: Date | null
  /** The planned end. */
  endsAt: Date | null
  periodStart: Date | null
  periodEnd: Date | null
  trialEnd: Date | null
  /** The charged card; null when there is none, or it was not read. */
  card: CardFace | null
  /** The customer's credit, used by the next payments; 0 when it was not read. */
  credit: number
  /** It ended because a payment failed. */
  endedUnpaid: boolean
  /** The newest invoice and its payment; null when there is nothing to pay. */
  invoiceId: string | null
  paymentId: string | null
  /** The unpaid rest of that invoice; null for none. */
  due: Due | null
}

/** Whether a subscription waits for the payment of its newest invoice. */
export const isOwing = (status: string) => ['past_due', 'unpaid', 'incomplete'].includes(status)

export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)
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
    status: confirmationStatus(intent.status),
    // No card was tried.
    refusal: error ? cardRefusalOf(error) : 'card_required',
  }
}

function confirmationStatus(status: string): Confirmation['status'] {
  if (status === 'succeeded' || status === 'requires_action' || status === 'canceled') return status
  return status === 'requires_payment_method' ? 'refused' : 'processing'
}

const intervalOf = (interval: string | undefined) =>
  interval === 'month' || interval === 'year' ? interval : null

export function toSubscription(found: Stripe.Subscription): ProviderSubscription {
  // The items carry the period; a Scale subscription has a licensed and a metered one.
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
    // The provider's portal plans an end by date, which only shows as cancel_at.
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
    credit: Math.max(0, -(payer?.balance ?? 0)),
    endedUnpaid: found.status === 'canceled' && found.cancellation_details?.reason === 'payment_failed',
    invoiceId: idOf(invoice),
    paymentId: idOf(payment?.payment.payment_intent),
    due: toDue(open),
  }
}

const isMetered = (price: Stripe.Price) => price.recurring?.usage_type === 'metered'

/** The item whose quantity is the seats; the others are metered. */
export const baseItemOf = (items: readonly Stripe.SubscriptionItem[]) =>
  items.find(({ price }) => !isMetered(price))
