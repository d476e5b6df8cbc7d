import type Stripe from 'stripe'
import type { Call } from './client.ts'
import { isPaymentsError } from './errors.ts'
import { baseItemOf, type CardFace, type Due, faceOf, idOf } from './shapes.ts'
import { readDue } from './unpaid-invoices.ts'

/** An invoice as the provider has it at this moment; `total` in minor units. */
export type ProviderInvoice = {
  id: string
  /** Null while it is a draft. */
  number: string | null
  createdAt: Date
  status: (typeof statuses)[number]
  total: number
  /** Given back to the card. */
  refunded: number
  /** Taken off by credit notes, beyond what went back to the card. */
  credited: number
  currency: string
  /** Where an open one can be paid; null for any other. */
  page: string | null
  /** The provider's own link to the document, which runs out. */
  pdf: string | null
}

/** Minor units; the amount is null where nothing is charged next. */
export type Upcoming = { credit: number; currency: string; amount: number | null }

/** Long enough for a screen that asks several times, short enough that nobody looks at something old for long. */
const cacheMs = 10_000
const maxEntries = 1000

/** Answers by customer, kept for some seconds. */
function makeCache<T>() {
  const kept = new Map<string, { answer: Promise<T>; until: number }>()
  return {
    read(key: string, look: () => Promise<T>): Promise<T> {
      const known = kept.get(key)
      if (known && known.until > performance.now()) return known.answer
      for (const [old, { until }] of kept)
        if (until < performance.now() || kept.size >= maxEntries) kept.delete(old)
      const entry = { answer: look(), until: performance.now() + cacheMs }
      kept.set(key, entry)
      // A failure is not an answer to be kept; the caller hears of it.
      entry.answer.catch(() => kept.get(key) === entry && kept.delete(key))
      return entry.answer
    },
    forget: (key: string): void => void kept.delete(key),
  }
}

/** The verbs of looking: nothing is changed by them. */
export function invoiceCalls(call: Call) {
  const cards = makeCache<CardFace | null>()
  const dues = makeCache<Due | null>()

  return {
    /**
     * The card that pays a subscription, or else the customer's own; kept for some seconds.
     * @param subscription null when there is none
     */
    cardOf: (customer: string, subscription: string | null): Promise<CardFace | null> =>
      cards.read(customer, () => readCard(call, customer, subscription)),

    /** What a customer's subscription owes; kept for some seconds. */
    cachedDueOf: (customer: string, subscription: string): Promise<Due | null> =>
      dues.read(customer, () => readDue(call, subscription)),

    /** Forgets a customer's card, and what it has not paid: they have changed. A read under way is not kept either. */
    clearCardCache(customer: string): void {
      cards.forget(customer)
      dues.forget(customer)
    },

    /** A page of a customer's invoices, the newest first. @param after the id of the last one that is known */
    invoicesOf: (
      customer: string,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<{ invoices: ProviderInvoice[]; more: boolean }> =>
      call(async stripe => {
        const found = await stripe.invoices.list({
          customer,
          limit,
          expand: ['data.payments'],
          ...(after && { starting_after: after }),
        })
        const refunds = await refundsOf(stripe, customer, found.data)
        const noted = await notedRefunds(stripe, found.data)
        return { invoices: found.data.map(one => toInvoice(one, refunds, noted)), more: found.has_more }
      }).catch(error => {
        if (isPaymentsError(error, 'missing')) return { invoices: [], more: false }
        throw error
      }),

    /**
     * What a subscription is charged next, and what the customer has left for it: their balance, and credit of changes
     * that the next invoice settles.
     * @param subscription null: nothing is charged next. The same where the provider refuses to preview it, as after
     *   an end that we have not seen yet
     * @param seats the quantity that will be written soon, where it is another one than there
     */
    upcomingOf: (customer: string, subscription: string | null, seats: number | null): Promise<Upcoming> =>
      (subscription ? readNext(call, customer, subscription, seats) : readBalance(call, customer))
        .catch(error => {
          if (subscription && isPaymentsError(error, 'rejected')) return readBalance(call, customer)
          throw error
        })
        .catch(error => {
          if (isPaymentsError(error, 'missing')) return { credit: 0, currency: 'usd', amount: null }
          throw error
        }),

    /** Whose an invoice is. Null when there is no such invoice. */
    customerOfInvoice: (id: string): Promise<string | null> =>
      call(async stripe => idOf((await stripe.invoices.retrieve(id)).customer)).catch(error => {
        if (isPaymentsError(error, 'missing')) return null
        throw error
      }),
  }
}

const readNext = (
  call: Call,
  customer: string,
  subscription: string,
  seats: number | null,
): Promise<Upcoming> =>
  call(async stripe => {
    const invoice = await stripe.invoices.createPreview({
      customer,
      subscription,
      ...(seats !== null && { subscription_details: await withSeats(stripe, subscription, seats) }),
    })
    const settled = invoice.lines.data.filter(line => line.parent?.subscription_item_details?.proration)
    const left = settled.reduce((sum, { amount }) => sum + amount, invoice.starting_balance)
    return { credit: Math.max(0, -left), currency: invoice.currency, amount: invoice.amount_due }
  })

/** The subscription with another number of seats, prorated as when it is written. */
async function withSeats(stripe: Stripe, subscription: string, seats: number) {
  const { items } = await stripe.subscriptions.retrieve(subscription)
  const base = baseItemOf(items.data)
  return {
    items: base ? [{ id: base.id, quantity: seats }] : [],
    proration_behavior: 'create_prorations' as const,
  }
}

const readBalance = (call: Call, customer: string): Promise<Upcoming> =>
  call(async stripe => {
    const found = await stripe.customers.retrieve(customer)
    const left = found.deleted ? 0 : found.balance
    const currency = (found.deleted ? null : found.currency) ?? 'usd'
    return { credit: Math.max(0, -left), currency, amount: null }
  })

async function readCard(call: Call, customer: string, subscription: string | null): Promise<CardFace | null> {
  const expand = ['invoice_settings.default_payment_method', 'subscriptions.data.default_payment_method']
  const found = await call(stripe => stripe.customers.retrieve(customer, { expand })).catch(error => {
    if (isPaymentsError(error, 'missing')) return null
    throw error
  })
  if (!found || found.deleted) return null
  const paying = found.subscriptions?.data.find(one => one.id === subscription)
  return faceOf(paying?.default_payment_method) ?? faceOf(found.invoice_settings.default_payment_method)
}

const statuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const

/** A page of invoices has 25 of them, each paid by one charge as a rule. */
const mostCharges = 300

/** What went back of each payment, by its id. An invoice does not say it itself. */
async function refundsOf(stripe: Stripe, customer: string, invoices: Stripe.Invoice[]) {
  const refunds = new Map<string, number>()
  const paid = invoices.filter(one => one.amount_paid > 0)
  if (paid.length === 0) return refunds
  const created = { gte: Math.min(...paid.map(one => one.created)) }
  const charges = stripe.charges.list({ customer, created, limit: 100 })
  for (const charge of await charges.autoPagingToArray({ limit: mostCharges })) {
    const payment = idOf(charge.payment_intent)
    if (payment) refunds.set(payment, (refunds.get(payment) ?? 0) + charge.amount_refunded)
  }
  return refunds
}

/** What credit notes gave back to the card, by invoice. Other refunds have no credit note and lessen none. */
async function notedRefunds(stripe: Stripe, invoices: Stripe.Invoice[]) {
  const credited = invoices.filter(one => one.post_payment_credit_notes_amount > 0)
  const sums = credited.map(async ({ id }) => {
    const notes = await stripe.creditNotes.list({ invoice: id, limit: 100 })
    const issued = notes.data.filter(({ status }) => status === 'issued')
    const refunds = issued.flatMap(note => note.refunds)
    return [id, refunds.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0)] as const
  })
  return new Map(await Promise.all(sums))
}

function toInvoice(
  found: Stripe.Invoice,
  refunds: Map<string, number>,
  notedRefund: Map<string, number>,
): ProviderInvoice {
  const payments = (found.payments?.data ?? []).map(one => idOf(one.payment.payment_intent) ?? '')
  const refunded = payments.reduce((sum, id) => sum + (refunds.get(id) ?? 0), 0)
  const noted = found.pre_payment_credit_notes_amount + found.post_payment_credit_notes_amount
  return {
    id: found.id,
    number: found.number,
    createdAt: new Date(found.created * 1000),
    status: statuses.find(one => one === found.status) ?? (found.number ? 'open' : 'draft'),
    total: found.total,
    refunded,
    credited: noted - (notedRefund.get(found.id) ?? 0),
    page: found.status === 'open' ? (found.hosted_invoice_url ?? null) : null,
    currency: found.currency,
    pdf: found.invoice_pdf ?? null,
  }
}
