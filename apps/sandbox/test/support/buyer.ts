import type Stripe from 'stripe'
import { createCustomerWithCard, expanded, type Prices } from './sandbox.ts'

/** Start of all buyers' clocks: 15 January 2027, 10:00. */
export const start = Date.UTC(2027, 0, 15, 10) / 1000

/** A customer with a working card and an own test clock. `subscribe` buys five seats by default. */
export async function createBuyer(stripe: Stripe, prices: Prices, more: Stripe.CustomerUpdateParams = {}) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const { customer } = await createCustomerWithCard(stripe, '4242424242424242', clock.id)
  await stripe.customers.update(customer.id, more)
  const subscribe = (params: Partial<Stripe.SubscriptionCreateParams> = {}) =>
    stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: prices.seat.id, quantity: 5 }],
      expand: ['latest_invoice'],
      ...params,
    })
  const advance = (to: number) => stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: to })
  const invoices = async () => (await stripe.invoices.list({ customer: customer.id })).data
  return { customer, subscribe, advance, invoices }
}

export const latestInvoice = (subscription: Stripe.Subscription) =>
  expanded<Stripe.Invoice>(subscription.latest_invoice as Stripe.Invoice) // as: `subscribe` expands it
