import type Stripe from 'stripe'
import type { Call } from './client.ts'
import { type CardFace, faceOf, idOf } from './shapes.ts'

/** A paid invoice; amounts in minor units, signed as they add up. */
export type PaidInvoice = {
  customer: string
  number: string
  /** The charged amount. */
  amount: number
  currency: string
  paidAt: Date
  lines: { text: string; amount: number; start: Date; end: Date }[]
  /** Discount, additional tax and used credit; 0 when there is none. */
  discount: number
  tax: number
  credit: number
  /** The charged card; null for another payment method. */
  card: CardFace | null
}

/** Calls for receipts. */
export function receiptCalls(call: Call) {
  return {
    /** Null for an invoice that is unpaid or cost nothing. */
    readPaidInvoice: (id: string): Promise<PaidInvoice | null> =>
      call(async stripe => {
        const invoice = await stripe.invoices.retrieve(id, { expand: ['payments'] })
        const customer = idOf(invoice.customer)
        if (invoice.status !== 'paid' || invoice.amount_paid <= 0 || !customer) return null
        const payment = invoice.payments?.data.find(one => one.status === 'paid')
        return toPaid(invoice, customer, await cardOfPayment(stripe, idOf(payment?.payment.payment_intent)))
      }),
  }
}

async function cardOfPayment(stripe: Stripe, payment: string | null): Promise<CardFace | null> {
  if (!payment) return null
  const { payment_method } = await stripe.paymentIntents.retrieve(payment, { expand: ['payment_method'] })
  return faceOf(payment_method)
}

function toPaid(invoice: Stripe.Invoice, customer: string, card: CardFace | null): PaidInvoice {
  const taxes = (invoice.total_taxes ?? []).filter(one => one.tax_behavior === 'exclusive')
  return {
    customer,
    number: invoice.number ?? invoice.id,
    amount: invoice.amount_paid,
    currency: invoice.currency,
    paidAt: new Date((invoice.status_transitions.paid_at ?? invoice.created) * 1000),
    lines: invoice.lines.data.map(line => ({
      text: line.description ?? '',
      amount: line.amount,
      start: new Date(line.period.start * 1000),
      end: new Date(line.period.end * 1000),
    })),
    discount: -sum(invoice.total_discount_amounts ?? []),
    tax: sum(taxes),
    credit: Math.min(0, invoice.amount_due - invoice.total),
    card,
  }
}

const sum = (parts: { amount: number }[]) => parts.reduce((total, one) => total + one.amount, 0)
