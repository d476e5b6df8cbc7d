import Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  complete3dSecure,
  createCustomerWithCard,
  eventTypes,
  expanded,
  first,
  latestIntent,
  sandboxWithPrices,
} from './support/sandbox.ts'

const day = 86_400
// April has 30 days.
const start = Date.UTC(2027, 3, 1) / 1000

const { sandbox, stripe, prices } = await sandboxWithPrices()
const product = await stripe.products.create({ name: 'Scale' })
const dear = await stripe.prices.create({
  product: product.id,
  currency: 'usd',
  unit_amount: 4_900,
  recurring: { interval: 'month' },
})

async function subscribed(number = '4242424242424242', quantity = 2) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const { customer } = await createCustomerWithCard(stripe, number, clock.id)
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: prices.seat.id, quantity }],
  })
  const advance = (to: number) => stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: to })
  return { customer, subscription, item: first(subscription.items).id, advance }
}

test('added seats are prorated by the second and billed at the renewal', async () => {
  const { subscription, item, advance, customer } = await subscribed()
  await advance(start + 10 * day)
  const changed = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, quantity: 5 }],
    proration_behavior: 'create_prorations',
  })
  expect(first(changed.items).quantity).toBe(5)
  expect((await stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1)
  const upcoming = await stripe.invoices.createPreview({ subscription: subscription.id })
  expect(upcoming.lines.data.map(line => line.amount)).toEqual([-1_600, 4_000, 6_000])
  await advance(start + 30 * day + 3_600)
  const renewed = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  const invoice = expanded<Stripe.Invoice>(renewed.latest_invoice)
  expect(invoice).toMatchObject({ total: upcoming.total, status: 'paid' })
  expect(invoice.lines.data.map(line => line.parent?.subscription_item_details?.proration)).toEqual([
    true,
    true,
    false,
  ])
})

test('an upgrade is paid at once at the previewed amount', async () => {
  const { subscription, item, advance } = await subscribed()
  await advance(start + 12 * day + 12_345)
  const at = start + 12 * day + 12_345
  const items = [{ id: item, price: dear.id, quantity: 1 }]
  const preview = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items, proration_date: at, proration_behavior: 'always_invoice' },
  })
  const upgraded = await stripe.subscriptions.update(subscription.id, {
    items,
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    proration_date: at,
    expand: ['latest_invoice'],
  })
  const left = 30 * day - (at - start)
  const share = (amount: number) => Math.round((amount * left) / (30 * day))
  expect(preview.total).toBe(share(4_900) - share(2_400))
  expect(expanded<Stripe.Invoice>(upgraded.latest_invoice)).toMatchObject({
    status: 'paid',
    total: preview.total,
    billing_reason: 'subscription_update',
  })
  expect(first(upgraded.items).price.id).toBe(dear.id)
  expect(upgraded.pending_update).toBeNull()
})

test('an unpaid upgrade stays pending and is applied after 3D Secure', async () => {
  const { subscription, item } = await subscribed('4000002760003184')
  await complete3dSecure(sandbox, await latestIntent(stripe, subscription.id), 'complete')
  const change: Stripe.SubscriptionUpdateParams = {
    items: [{ id: item, price: dear.id }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  }
  const asked = await stripe.subscriptions.update(subscription.id, change)
  expect(asked.status).toBe('active')
  expect(first(asked.items).price.id).toBe(prices.seat.id)
  expect(asked.pending_update?.subscription_items?.[0]?.price.id).toBe(dear.id)
  await complete3dSecure(sandbox, await latestIntent(stripe, subscription.id), 'complete')
  const applied = await stripe.subscriptions.retrieve(subscription.id)
  expect(first(applied.items).price.id).toBe(dear.id)
  expect(applied.pending_update).toBeNull()
  expect(await eventTypes(stripe, subscription.id)).toContain('customer.subscription.pending_update_applied')
})

test('an upgrade that is never paid expires and the old plan stays', async () => {
  const { subscription, item, advance } = await subscribed('4000002760003184')
  await complete3dSecure(sandbox, await latestIntent(stripe, subscription.id), 'complete')
  await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: dear.id }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  })
  await advance(start + day)
  const expired = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect(expired).toMatchObject({ status: 'active', pending_update: null })
  expect(first(expired.items).price.id).toBe(prices.seat.id)
  expect(expanded<Stripe.Invoice>(expired.latest_invoice).status).toBe('void')
})

test('pending_if_incomplete refuses the parameters that Stripe refuses', async () => {
  const { subscription, item } = await subscribed()
  const update = stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, quantity: 3 }],
    payment_behavior: 'pending_if_incomplete',
    metadata: { a: 'b' },
  })
  await expect(update).rejects.toMatchObject({ type: 'StripeInvalidRequestError', param: 'metadata' })
})

test('a downgrade creates a credit for the next invoice', async () => {
  const { subscription, item, advance, customer } = await subscribed('4242424242424242', 10)
  await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, quantity: 1 }],
    proration_behavior: 'always_invoice',
  })
  const credited = await stripe.customers.retrieve(customer.id)
  expect(credited).toMatchObject({ balance: -10_800 })
  await advance(start + 30 * day + 3_600)
  const renewed = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect(expanded<Stripe.Invoice>(renewed.latest_invoice)).toMatchObject({
    total: 1_200,
    amount_due: 0,
    ending_balance: -9_600,
    status: 'paid',
  })
})

test('a change from monthly to yearly starts a new cycle, billed at once', async () => {
  const { subscription, item, advance } = await subscribed('4242424242424242', 1)
  await advance(start + 15 * day)
  const yearly = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: prices.yearly.id }],
    expand: ['latest_invoice'],
  })
  expect(new Date(first(yearly.items).current_period_end * 1000).toISOString()).toBe(
    '2028-04-16T00:00:00.000Z',
  )
  expect(yearly.billing_cycle_anchor).toBe(start + 15 * day)
  expect(expanded<Stripe.Invoice>(yearly.latest_invoice)).toMatchObject({
    total: 12_000 - 600,
    status: 'paid',
  })
})

test('proration_behavior none changes only the next invoice', async () => {
  const { subscription, item } = await subscribed()
  await stripe.subscriptionItems.update(item, { quantity: 4, proration_behavior: 'none' })
  const upcoming = await stripe.invoices.createPreview({ subscription: subscription.id })
  expect(upcoming.lines.data.map(line => line.amount)).toEqual([4_800])
})

test('usage is billed afterwards by tiers', async () => {
  const meter = await stripe.billing.meters.create({
    display_name: 'Events',
    event_name: 'plinth_events',
    default_aggregation: { formula: 'sum' },
  })
  const price = await stripe.prices.create({
    product: dear.product.toString(),
    currency: 'usd',
    billing_scheme: 'tiered',
    tiers_mode: 'graduated',
    tiers: [
      { up_to: 100, unit_amount_decimal: Stripe.Decimal.from('0') },
      { up_to: 'inf', unit_amount_decimal: Stripe.Decimal.from('2') },
    ],
    recurring: { interval: 'month', usage_type: 'metered', meter: meter.id },
    lookup_key: 'scale',
    transfer_lookup_key: true,
  })
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const { customer } = await createCustomerWithCard(stripe, '4242424242424242', clock.id)
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
  })
  expect(subscription.status).toBe('active')
  expect(first(subscription.items).quantity).toBeUndefined()
  const send = (identifier: string, value: string) =>
    stripe.billing.meterEvents.create({
      event_name: 'plinth_events',
      identifier,
      timestamp: start + 60,
      payload: { stripe_customer_id: customer.id, value },
    })
  await send('a', '90')
  await send('b', '60')
  await expect(send('b', '60')).rejects.toMatchObject({ code: 'duplicate_meter_event' })
  const summary = await stripe.billing.meters.listEventSummaries(meter.id, {
    customer: customer.id,
    start_time: start,
    end_time: start + day,
  })
  expect(first(summary).aggregated_value).toBe(150)
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 30 * day + 3_600 })
  const [bill] = (await stripe.invoices.list({ customer: customer.id })).data
  expect(bill).toMatchObject({ total: 100, status: 'paid' })
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 61 * day })
  const [quiet] = (await stripe.invoices.list({ customer: customer.id })).data
  expect(quiet).toMatchObject({ total: 0 })
  const read = await stripe.prices.retrieve(price.id, { expand: ['tiers'] })
  expect(read.tiers).toHaveLength(2)
})

test('voiding the invoice of a pending change discards the change and restores the balance', async () => {
  const { subscription, item, customer } = await subscribed('4000002760003184')
  await complete3dSecure(sandbox, await latestIntent(stripe, subscription.id), 'complete')
  await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, quantity: 1 }],
    proration_behavior: 'always_invoice',
  })
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -1_200 })
  const asked = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: dear.id, quantity: 1 }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice'],
  })
  expect(asked.pending_update).not.toBeNull()
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: 0 })
  await stripe.invoices.voidInvoice(expanded<Stripe.Invoice>(asked.latest_invoice).id)
  const after = await stripe.subscriptions.retrieve(subscription.id)
  expect(after).toMatchObject({ status: 'active', pending_update: null })
  expect(first(after.items).price.id).toBe(prices.seat.id)
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -1_200 })
})

async function trying(number: string) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const { customer } = await createCustomerWithCard(stripe, number, clock.id)
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: prices.seat.id, quantity: 2 }],
    trial_period_days: 14,
  })
  const items = [{ id: first(subscription.items).id, price: dear.id, quantity: 1 }]
  const preview = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items, proration_behavior: 'always_invoice', trial_end: 'now' },
  })
  expect(preview).toMatchObject({ total: 4_900, amount_due: 4_900 })
  await stripe.subscriptions.update(subscription.id, {
    items,
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    trial_end: 'now',
  })
  return { subscription, read: () => stripe.subscriptions.retrieve(subscription.id) }
}

test('a change that is paid at once ends the trial', async () => {
  const { read } = await trying('4242424242424242')
  const after = await read()
  expect(after).toMatchObject({ status: 'active', pending_update: null, trial_end: start })
  expect(first(after.items)).toMatchObject({
    price: { id: dear.id },
    current_period_start: start,
    current_period_end: start + 30 * day,
  })
})

test('a trial continues while the change that ends it is unpaid', async () => {
  const { subscription, read } = await trying('4000002760003184')
  expect(await read()).toMatchObject({ status: 'trialing', pending_update: { trial_end: start } })
  await complete3dSecure(sandbox, await latestIntent(stripe, subscription.id), 'complete')
  expect(await read()).toMatchObject({ status: 'active', pending_update: null, trial_end: start })
})
