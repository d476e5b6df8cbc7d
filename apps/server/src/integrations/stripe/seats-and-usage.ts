import type { Call } from './client.ts'
import { fallbackFor, isPaymentsError } from './errors.ts'
import { secondsOf } from './shapes.ts'

/** Reported usage. The id makes it idempotent. */
export type Usage = { id: string; meter: string; customer: string; quantity: number; at: Date }

type Payer = { email: string | null; name: string | null }

/** Calls of jobs: seats, usage, and the payer. */
export function seatAndUsageCalls(call: Call) {
  return {
    /** Sets the number of seats. The price until the period ends goes on the next invoice. */
    setSeats: (subscription: string, item: string, seats: number, key: string): Promise<void> =>
      call(async stripe => {
        const params = {
          items: [{ id: item, quantity: seats }],
          proration_behavior: 'create_prorations' as const,
        }
        await stripe.subscriptions.update(subscription, params, { idempotencyKey: `seats:${key}` })
      }),

    /** Reports usage to a meter. */
    reportUsage: ({ id, meter, customer, quantity, at }: Usage): Promise<void> =>
      call(async stripe => {
        await stripe.billing.meterEvents.create({
          event_name: meter,
          identifier: id,
          timestamp: secondsOf(at),
          payload: { stripe_customer_id: customer, value: String(quantity) },
        })
      }).catch(error => {
        // Reported before by a process that died before it marked the row.
        const known =
          isPaymentsError(error, 'rejected') && /already exists with identifier/i.test(error.message)
        if (!known) throw error
      }),

    /** The contact of a customer. Null when the customer is gone. */
    readPayer: (customer: string): Promise<Payer | null> =>
      call(async stripe => {
        const found = await stripe.customers.retrieve(customer)
        return found.deleted ? null : { email: found.email, name: found.name ?? null }
      }).catch(fallbackFor(null, 'missing')),

    setPayer: (customer: string, payer: { email: string; name: string }): Promise<void> =>
      call(async stripe => {
        await stripe.customers.update(customer, payer)
      }),
  }
}
