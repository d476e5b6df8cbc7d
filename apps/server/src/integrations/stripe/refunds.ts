import type { Call } from './client.ts'
import { isPaymentsError } from './errors.ts'
import { idOf } from './shapes.ts'

/** A refund or credit; amounts in minor units. */
export type RefundMade = {
  id: string
  amount: number
  currency: string
  customer: string | null
  isOurs: boolean
}
export type CreditIssued = { id: string; amount: number; currency: string; customer: string | null }
/** A payment that the cardholder disputes at their bank. */
export type DisputeSeen = {
  id: string
  amount: number
  currency: string
  customer: string | null
  status: 'open' | 'won' | 'lost'
}

const ends = ['won', 'lost'] as const

/** Marks our own refunds, which are recorded when they are made. */
const ours = { made_by: 'plinth' }

/** A payment; the amount in minor units. */
type Paid = { id: string; amount: number; currency: string }

/** Calls for refunds. */
export function refundCalls(call: Call) {
  return {
    /** All successful payments of a subscription. */
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
     * Refunds a whole payment; a refunded one is fine. The call is repeatable by nature and has no
     * idempotency key, because the provider would replay a first failure for a day.
     */
    refund: (payment: string): Promise<void> =>
      call(async stripe => {
        const { id, status } = await stripe.refunds.create({ payment_intent: payment, metadata: ours })
        if (status === 'failed' || status === 'canceled') throw new Error(`The refund ${id} is ${status}`)
      }).catch(error => {
        // The bank of a disputed payment has already taken it back.
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
