import type Stripe from 'stripe'
import { customerWith, expanded, type Shop } from './sandbox.ts'

/** Everyone who buys starts here, in seconds: 15 January 2027, 10:00. */
export const start = Date.UTC(2027, 0, 15, 10) / 1000

/** A customer on a clock of their own, with a card that pays; `subscribe` buys five seats unless told. */
export async function makeBuyer(stripe: Stripe, shop: Shop, more: Stripe.CustomerUpdateParams = {}) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const { customer } = await customerWith(stripe, '4242424242424242', clock.id)
  await stripe.customers.update(customer.id, more)
  const subscribe = (params: Partial<Stripe.SubscriptionCreateParams> = {}) =>
    stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: shop.seat.id, quantity: 5 }],
      expand: ['latest_invoice'],
      ...params,
    })
  const advance = (to: number) => stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: to })
  const invoices = async () => (await stripe.invoices.list({ customer: customer.id })).data
  return { customer, subscribe, advance, invoices }
}

export const bill = (subscription: Stripe.Subscription) =>
  expanded<Stripe.Invoice>(subscription.latest_invoice as Stripe.Invoice) // whoever asks has expanded it
