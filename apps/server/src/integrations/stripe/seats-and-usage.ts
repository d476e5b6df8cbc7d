import type { Call } from './client.ts'
import { isPaymentsError } from './errors.ts'
import { secondsOf } from './shapes.ts'

/** So much of a thing was used at a moment. The id stands for it: told again it counts once. */
export type Usage = { id: string; meter: string; customer: string; quantity: number; at: Date }

type Payer = { email: string | null; name: string | null }

/** The verbs of what jobs carry over: seats, usage, and whom invoices go to. */
export function seatAndUsageCalls(call: Call) {
  return {
    /** Sets how many seats are paid for. What they cost until the period ends goes on the next invoice. */
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
        // Told before by somebody who did not live to write it down.
        const known =
          isPaymentsError(error, 'rejected') && /already exists with identifier/i.test(error.message)
        if (!known) throw error
      }),

    /** To whom a customer's invoices go. Null when the customer is gone. */
    readPayer: (customer: string): Promise<Payer | null> =>
      call(async stripe => {
        const found = await stripe.customers.retrieve(customer)
        return found.deleted ? null : { email: found.email, name: found.name ?? null }
      }).catch(error => {
        if (isPaymentsError(error, 'missing')) return null
        throw error
      }),

    setPayer: (customer: string, payer: { email: string; name: string }): Promise<void> =>
      call(async stripe => {
        await stripe.customers.update(customer, payer)
      }),
  }
}
