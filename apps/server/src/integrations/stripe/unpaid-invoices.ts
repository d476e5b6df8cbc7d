import type Stripe from 'stripe'
import type { Call } from './client.ts'
import { fallbackFor } from './errors.ts'
import { type Due, dateOf, idOf, isOwing } from './shapes.ts'

/** An unpaid invoice of a subscription; the amount in minor units. */
export type OwedInvoice = {
  id: string
  amount: number
  currency: string
  nextAttempt: Date | null
  page: string | null
  /** Its payment; a draft has none. */
  paymentId: string | null
  isDraft: boolean
}

/** Calls about unpaid invoices. */
export function unpaidInvoiceCalls(call: Call) {
  return {
    /** A subscription's unpaid invoices, oldest first. */
    owedInvoices: (subscription: string): Promise<OwedInvoice[]> =>
      call(stripe => findOwed(stripe, subscription)),

    /** The amount due, not cached. */
    readDueNow: (subscription: string): Promise<Due | null> => readDue(call, subscription),

    /**
     * Pays an invoice with the card that is charged. Throws `card` when it is refused or the bank wants to ask,
     * `rejected` when there is nothing to pay any more.
     */
    payInvoice: (invoice: Pick<OwedInvoice, 'id' | 'isDraft'>, key: string): Promise<void> =>
      call(async stripe => {
        if (invoice.isDraft) await stripe.invoices.finalizeInvoice(invoice.id)
        await stripe.invoices.pay(invoice.id, {}, { idempotencyKey: `pay:${key}:${invoice.id}` })
      }),

    /** The payment of an invoice; null when there is nothing to pay. */
    paymentOfInvoice: (id: string): Promise<string | null> =>
      call(async stripe => paymentOf(await stripe.invoices.retrieve(id, { expand: ['payments'] }))),
  }
}

/** Total debt of a subscription; null for none. */
export const readDue = (call: Call, subscription: string): Promise<Due | null> =>
  call(async stripe => sumOf(await findOwed(stripe, subscription))).catch(fallbackFor(null, 'missing'))

async function findOwed(stripe: Stripe, subscription: string): Promise<OwedInvoice[]> {
  const { status } = await stripe.subscriptions.retrieve(subscription)
  if (!isOwing(status)) return []
  const list = async (status: 'open' | 'draft') => {
    const page = await stripe.invoices.list({ subscription, status, limit: 100, expand: ['data.payments'] })
    return page.data
  }
  const open = await list('open')
  // An unpaid subscription creates further draft invoices, which are never finalized.
  const drafts = status === 'unpaid' ? (await list('draft')).filter(one => !one.auto_advance) : []
  return [...drafts, ...open]
    .filter(one => one.amount_remaining > 0)
    .sort((one, other) => one.created - other.created)
    .map(toOwed)
}

const toOwed = (invoice: Stripe.Invoice): OwedInvoice => ({
  id: invoice.id,
  amount: invoice.amount_remaining,
  currency: invoice.currency,
  nextAttempt: dateOf(invoice.next_payment_attempt),
  page: invoice.hosted_invoice_url ?? null,
  paymentId: paymentOf(invoice),
  isDraft: invoice.status === 'draft',
})

function paymentOf({ payments }: Stripe.Invoice): string | null {
  const own = payments?.data.find(one => one.is_default) ?? payments?.data[0]
  return idOf(own?.payment.payment_intent)
}

function sumOf(owed: OwedInvoice[]): Due | null {
  const newest = owed.at(-1)
  if (!newest) return null
  // All invoices of a customer have one currency; others are left out of the sum.
  const summed = owed.filter(one => one.currency === newest.currency)
  const attempts = summed.flatMap(one => one.nextAttempt ?? [])
  return {
    owed: owed.map(({ id, amount, currency }) => ({ id, amount, currency })),
    amount: summed.reduce((sum, one) => sum + one.amount, 0),
    currency: newest.currency,
    invoices: summed.length,
    nextAttempt: attempts.sort((one, other) => one.getTime() - other.getTime())[0] ?? null,
    page: newest.page,
  }
}
