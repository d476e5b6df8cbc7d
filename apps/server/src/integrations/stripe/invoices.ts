import type Stripe from 'stripe'
import type { Call } from './client.ts'
import { fallbackFor, isPaymentsError } from './errors.ts'
import { baseItemOf, type CardFace, type Due, faceOf, idOf } from './shapes.ts'
import { readDue } from './unpaid-invoices.ts'

/** An invoice; `total` in minor units. */
export type ProviderInvoice = {
  id: string
  /** Null while it is a draft. */
  number: string | null
  createdAt: Date
  status: (typeof statuses)[number]
  total: number
  /** Refunded to the card. */
  refunded: number
  /** Credited by credit notes beyond the refunds. */
  credited: number
  currency: string
  /** The payment page of an open invoice; null for any other. */
  page: string | null
  /** The provider's link to the PDF, which expires. */
  pdf: string | null
}

/** Minor units; the amount is null when nothing is charged next. */
export type Upcoming = {
  credit: number
  currency: string
  prorated: number
  amount: number | null
  /** A renewal's invoice that is not charged yet: its total, and what credit leaves of it. */
  draft: { total: number; amount: number } | null
}

/** Long enough for one screen with several reads, short enough to stay current. */
const cacheMs = 10_000
const maxEntries = 1000

/** Caches replies by customer for some seconds. */
function makeCache<T>() {
  const cache = new Map<string, { answer: Promise<T>; until: number }>()
  return {
    read(key: string, read: () => Promise<T>): Promise<T> {
      const known = cache.get(key)
      if (known && known.until > performance.now()) return known.answer
      for (const [old, { until }] of cache)
        if (until < performance.now() || cache.size >= maxEntries) cache.delete(old)
      const entry = { answer: read(), until: performance.now() + cacheMs }
      cache.set(key, entry)
      // Failures are not cached.
      entry.answer.catch(() => cache.get(key) === entry && cache.delete(key))
      return entry.answer
    },
    forget: (key: string): void => void cache.delete(key),
  }
}

/** Calls that only read. */
export function invoiceCalls(call: Call) {
  const cards = makeCache<CardFace | null>()
  const dues = makeCache<Due | null>()

  return {
    /**
     * The card that pays a subscription, otherwise the customer's. Cached for some seconds.
     * @param subscription null when there is none
     */
    cardOf: (customer: string, subscription: string | null): Promise<CardFace | null> =>
      cards.read(customer, () => readCard(call, customer, subscription)),

    /** The debt of a subscription, cached for some seconds. */
    cachedDueOf: (customer: string, subscription: string): Promise<Due | null> =>
      dues.read(customer, () => readDue(call, subscription)),

    /** Clears the cached card and debt of a customer, including reads in progress. */
    clearCardCache(customer: string): void {
      cards.forget(customer)
      dues.forget(customer)
    },

    /**
     * A page of a customer's invoices, newest first.
     * @param after the id of the last invoice of the page before
     */
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
      }).catch(fallbackFor({ invoices: [], more: false }, 'missing')),

    /**
     * The next charge of a subscription, and the customer's credit for it: their balance, and credit of
     * changes on the next invoice.
     * @param subscription null when nothing is charged next. The result is the same when the provider
     * refuses the preview, as after an end that is not synced yet
     * @param seats a quantity that will be written soon, if it differs
     */
    upcomingOf: (customer: string, subscription: string | null, seats: number | null): Promise<Upcoming> =>
      (subscription ? readNext(call, customer, subscription, seats) : readBalance(call, customer))
        .catch(error => {
          if (subscription && isPaymentsError(error, 'rejected')) return readBalance(call, customer)
          throw error
        })
        .catch(
          fallbackFor({ credit: 0, currency: 'usd', prorated: 0, amount: null, draft: null }, 'missing'),
        ),

    /** The customer of an invoice. Null when there is no such invoice. */
    customerOfInvoice: (id: string): Promise<string | null> =>
      call(async stripe => idOf((await stripe.invoices.retrieve(id)).customer)).catch(
        fallbackFor(null, 'missing'),
      ),
  }
}

const readNext = (
  call: Call,
  customer: string,
  subscription: string,
  seats: number | null,
): Promise<Upcoming> =>
  call(async stripe => {
    const [invoice, drafts] = await Promise.all([
      previewNext(stripe, customer, subscription, seats),
      stripe.invoices.list({ subscription, status: 'draft', limit: 10 }),
    ])
    const settled = invoice.lines.data.filter(line => line.parent?.subscription_item_details?.proration)
    const prorated = settled.reduce((sum, { amount }) => sum + amount, 0)
    const next = { currency: invoice.currency, prorated: Math.max(0, prorated) }
    const credit = Math.max(0, -prorated - invoice.starting_balance)
    // For about an hour after a renewal its invoice is a draft. It uses the credit before the next one does.
    const total = drafts.data
      .filter(draft => draft.auto_advance)
      .reduce((sum, draft) => sum + Math.max(0, draft.total), 0)
    if (total === 0) return { ...next, credit, amount: invoice.amount_due, draft: null }
    const used = Math.min(total, Math.max(0, -invoice.starting_balance))
    const amount = Math.max(0, invoice.total + invoice.starting_balance + used)
    return { ...next, credit: Math.max(0, credit - used), amount, draft: { total, amount: total - used } }
  })

const previewNext = async (stripe: Stripe, customer: string, subscription: string, seats: number | null) =>
  stripe.invoices.createPreview({
    customer,
    subscription,
    ...(seats !== null && { subscription_details: await withSeats(stripe, subscription, seats) }),
  })

/** The subscription with other seats, prorated as the later write is. */
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
    return { credit: Math.max(0, -left), currency, prorated: 0, amount: null, draft: null }
  })

async function readCard(call: Call, customer: string, subscription: string | null): Promise<CardFace | null> {
  const expand = ['invoice_settings.default_payment_method', 'subscriptions.data.default_payment_method']
  const found = await call(stripe => stripe.customers.retrieve(customer, { expand })).catch(
    fallbackFor(null, 'missing'),
  )
  if (!found || found.deleted) return null
  const paying = found.subscriptions?.data.find(one => one.id === subscription)
  return faceOf(paying?.default_payment_method) ?? faceOf(found.invoice_settings.default_payment_method)
}

const statuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const

/** A page has 25 invoices, usually with one charge each. */
const mostCharges = 300

/** Refunds by payment id, which an invoice does not contain. */
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

/** Refunds by credit notes, by invoice. Other refunds have no credit note. */
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
