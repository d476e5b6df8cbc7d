import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createCustomerWithCard, first, sandboxWithPrices } from './support/sandbox.ts'

const day = 86_400
// April has 30 days.
const start = Date.UTC(2027, 3, 1) / 1000
const end = start + 30 * day

const { stripe, prices } = await sandboxWithPrices()

async function subscribed(number = '4242424242424242', more: Stripe.SubscriptionCreateParams.Item[] = []) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const { customer } = await createCustomerWithCard(stripe, number, clock.id)
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: prices.seat.id, quantity: 2 }, ...more],
  })
  const advance = (to: number) => stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: to })
  const invoices = async () => (await stripe.invoices.list({ customer: customer.id })).data
  const leave = () => stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  const seats = (quantity: number) =>
    stripe.subscriptions.update(subscription.id, {
      items: [{ id: first(subscription.items).id, quantity }],
      proration_behavior: 'create_prorations',
    })
  const next = (details?: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails) =>
    stripe.invoices.createPreview({
      subscription: subscription.id,
      ...(details && { subscription_details: details }),
    })
  return { customer, subscription, advance, invoices, leave, seats, next }
}

test('a scheduled cancellation bills pending prorations, as previewed', async () => {
  const { advance, seats, leave, next, invoices, subscription } = await subscribed()
  await advance(start + 10 * day)
  await seats(5)
  const supposed = await next({ cancel_at_period_end: true })
  await leave()
  const preview = await next()
  expect(preview.lines.data.map(line => line.amount)).toEqual([-1_600, 4_000])
  expect(supposed.amount_due).toBe(2_400)
  expect((await next({ cancel_at_period_end: false })).amount_due).toBe(2_400 + 6_000)
  await advance(end)
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled')
  expect(first({ data: await invoices() })).toMatchObject({ status: 'draft', total: 2_400 })
  await advance(end + 3_601)
  const paid = { status: 'paid', total: 2_400, billing_reason: 'subscription_cycle', period_start: end }
  expect(first({ data: await invoices() })).toMatchObject(paid)
  expect(await invoices()).toHaveLength(2)
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled')
})

test('a scheduled cancellation bills the usage of the period', async () => {
  const meter = await stripe.billing.meters.create({
    display_name: 'Events',
    event_name: 'events',
    default_aggregation: { formula: 'sum' },
  })
  const price = await stripe.prices.create({
    product: (await stripe.products.create({ name: 'Usage' })).id,
    currency: 'usd',
    unit_amount: 3,
    recurring: { interval: 'month', usage_type: 'metered', meter: meter.id },
  })
  const { customer, leave, advance, next, invoices } = await subscribed(undefined, [{ price: price.id }])
  await leave()
  await expect(next()).rejects.toMatchObject({ code: 'invoice_upcoming_none' })
  await stripe.billing.meterEvents.create({
    event_name: 'events',
    timestamp: start + 60,
    payload: { stripe_customer_id: customer.id, value: '100' },
  })
  expect((await next()).amount_due).toBe(300)
  await advance(end + 3_601)
  expect(first({ data: await invoices() })).toMatchObject({ status: 'paid', total: 300 })
})

test('a scheduled cancellation without open amounts creates no invoice and no preview', async () => {
  const { leave, next, advance, invoices } = await subscribed()
  await leave()
  await expect(next()).rejects.toMatchObject({ code: 'invoice_upcoming_none' })
  await advance(end + 3_601)
  expect(await invoices()).toHaveLength(1)
})

test('a declined final invoice stays open and is not retried', async () => {
  const { customer, subscription, leave, advance, seats, invoices } = await subscribed()
  await seats(5)
  await leave()
  const method = await stripe.paymentMethods.create({
    type: 'card',
    card: { token: 'tok_chargeCustomerFail' },
  })
  await stripe.paymentMethods.attach(method.id, { customer: customer.id })
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } })
  await advance(end + 20 * day)
  const last = { status: 'open', amount_due: 3_600, next_payment_attempt: null, attempt_count: 1 }
  expect(first({ data: await invoices() })).toMatchObject(last)
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled')
})

test('a customer deleted before the final invoice is finalized is not charged', async () => {
  const { customer, leave, advance, seats, invoices } = await subscribed()
  await seats(5)
  await leave()
  await advance(end)
  await stripe.customers.del(customer.id)
  await advance(end + 3_601)
  expect(first({ data: await invoices() })).toMatchObject({ status: 'draft' })
})
