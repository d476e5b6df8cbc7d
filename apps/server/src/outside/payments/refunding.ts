import type { Call } from './client.ts'
import { isPaymentsError } from './errors.ts'
import { idOf } from './shapes.ts'

/** Money that was taken; the amount in minor units. */
type Paid = { id: string; amount: number; currency: string }

/** The verbs of giving money back. */
export function refundingVerbs(call: Call) {
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
        const { id, status } = await stripe.refunds.create({ payment_intent: payment })
        if (status === 'failed' || status === 'canceled') throw new Error(`The refund ${id} is ${status}`)
      }).catch(error => {
        if (!isPaymentsError(error, 'rejected') || error.reason !== 'charge_already_refunded') throw error
      }),
  }
}
