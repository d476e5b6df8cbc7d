import type { Call } from './client.ts'
import { isPaymentsError } from './errors.ts'
import { idOf } from './shapes.ts'

/** Money that went back, or is credit; amounts in minor units. */
export type RefundMade = {
  id: string
  amount: number
  currency: string
  customer: string | null
  isOurs: boolean
}
export type CreditIssued = { id: string; amount: number; currency: string; customer: string | null }
/** A payment that the cardholder contests at their bank. */
export type DisputeSeen = {
  id: string
  amount: number
  currency: string
  customer: string | null
  status: 'open' | 'won' | 'lost'
}

const ends = ['won', 'lost'] as const

/** Marks refunds of our own, which are noted where they are made. */
const ours = { made_by: 'plinth' }

/** Money that was taken; the amount in minor units. */
type Paid = { id: string; amount: number; currency: string }

/** The verbs of giving money back. */
export function refundCalls(call: Call) {
  return {
    /** Every payment that went through for a subscription. */
    paymentsFor: (subscription: string): Promise<Paid[]> =>
      call(async stripe => {
        const expand = ['data.payments']
        const page = await stripe.invoices.list({ subscription, status: 'paid', limit: 100, expand })
        return page.data.flatMap(invoice =>
          (invoice.payments?.data ?? []).flatMap(({ payment, amount_paid, currency }) => {
            const id = idOf(payment.payment_intent)
            return id && amount_paid ? [{ id, amount: amount_paid, currency }] : []
          }),
        )
      }),

    /**
     * Gives a payment back, whole; one that was given back already is what was wanted. So it may be repeated by its
     * nature, and has no key: under one the provider would repeat its first failure for a day.
     */
    refund: (payment: string): Promise<void> =>
      call(async stripe => {
        const { id, status } = await stripe.refunds.create({ payment_intent: payment, metadata: ours })
        if (status === 'failed' || status === 'canceled') throw new Error(`The refund ${id} is ${status}`)
      }).catch(error => {
        // The bank of a disputed payment has taken it back itself.
        const done = ['charge_already_refunded', 'charge_disputed']
        if (!isPaymentsError(error, 'rejected') || !done.includes(error.reason ?? '')) throw error
      }),

    readRefund: (id: string): Promise<RefundMade> =>
      call(async stripe => {
        const { amount, currency, customer, metadata } = await stripe.refunds.retrieve(id)
        return { id, amount, currency, customer: idOf(customer), isOurs: metadata?.made_by === ours.made_by }
      }),

    readCreditNote: (id: string): Promise<CreditIssued> =>
      call(async stripe => {
        const { amount, currency, customer } = await stripe.creditNotes.retrieve(id)
        return { id, amount, currency, customer: idOf(customer) }
      }),

    readDispute: (id: string): Promise<DisputeSeen> =>
      call(async stripe => {
        const { amount, currency, charge, status } = await stripe.disputes.retrieve(id, {
          expand: ['charge'],
        })
        const customer = typeof charge === 'object' ? idOf(charge.customer) : null
        return { id, amount, currency, customer, status: ends.find(one => one === status) ?? 'open' }
      }),
  }
}
