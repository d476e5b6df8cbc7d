import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { percentOf, productOf, sumOf } from '../src/payments/prices/decimal.ts'
import { createCustomerWithCard, expanded, first, sandboxForFile } from './support/sandbox.ts'

const day = 86_400
const start = Date.UTC(2027, 0, 15, 10) / 1000

const sandbox = await sandboxForFile()
const { stripe } = sandbox
const product = (await stripe.products.create({ name: 'Scale' })).id

type Tiers = Stripe.PriceCreateParams.Tier[]

const tiered = (tiers: Tiers, meter?: string) =>
  stripe.prices.create({
    product,
    currency: 'usd',
    billing_scheme: 'tiered',
    tiers_mode: 'graduated',
    tiers,
    recurring: { interval: 'month', ...(meter && { usage_type: 'metered', meter }) },
  })

const decimal = (value: string) => value as unknown as Stripe.Decimal // the wire carries text; the SDK sends it as it is

const tier = (up_to: number | 'inf', unit: string) => ({ up_to, unit_amount_decimal: decimal(unit) })
const steps: Tiers = [tier(10, '500'), tier(20, '400'), tier('inf', '300')]

describe('seats by tiers', () => {
  const lines = async (tiers: Tiers, quantity: number) => {
    const price = await tiered(tiers)
    const { customer } = await createCustomerWithCard(stripe, '4242424242424242')
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id, quantity }],
      expand: ['latest_invoice'],
    })
    const invoice = expanded<Stripe.Invoice>(made.latest_invoice)
    expect(invoice.amount_paid).toBe(invoice.total)
    return invoice.lines.data.map(line => [line.quantity, line.amount])
  }

  test('each unit has the price of its tier', async () => {
    expect(await lines(steps, 10)).toEqual([[10, 5_000]])
    expect(await lines(steps, 25)).toEqual([
      [10, 5_000],
      [10, 4_000],
      [5, 1_500],
    ])
  })

  test('decimals are exact, and each line is rounded once', async () => {
    expect(await lines([tier('inf', '0.05')], 1_030)).toEqual([[1_030, 52]])
    const price = await tiered([tier('inf', '0.000000000001')])
    const read = await stripe.prices.retrieve(price.id, { expand: ['tiers'] })
    expect(read.tiers?.[0]?.unit_amount_decimal?.toString()).toMatch(/^(0\.000000000001|1e-12)$/)
  })

  test('a change of tier is prorated as previewed', async () => {
    const price = await tiered(steps)
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
    const { customer } = await createCustomerWithCard(stripe, '4242424242424242', clock.id)
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id, quantity: 10 }],
    })
    const item = first(made.items)
    const half = item.current_period_start + (item.current_period_end - item.current_period_start) / 2
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: half })
    const items = [{ id: item.id, quantity: 25 }]
    const preview = await stripe.invoices.createPreview({
      subscription: made.id,
      subscription_details: { items, proration_behavior: 'always_invoice' },
    })
    const changed = await stripe.subscriptions.update(made.id, {
      items,
      proration_behavior: 'always_invoice',
      expand: ['latest_invoice'],
    })
    expect(preview.total).toBe(2_750)
    expect(expanded<Stripe.Invoice>(changed.latest_invoice).total).toBe(2_750)
  })
})

test('usage by tiers is summed exactly', async () => {
  const meter = await stripe.billing.meters.create({
    display_name: 'Calls',
    event_name: 'calls',
    default_aggregation: { formula: 'sum' },
  })
  const price = await tiered(steps, meter.id)
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const { customer } = await createCustomerWithCard(stripe, '4242424242424242', clock.id)
  await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] })
  for (const value of ['0.1', '0.2', '14.7'])
    await stripe.billing.meterEvents.create({
      event_name: 'calls',
      timestamp: start + 60,
      payload: { stripe_customer_id: customer.id, value },
    })
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 32 * day })
  const [bill] = (await stripe.invoices.list({ customer: customer.id })).data
  expect(bill).toMatchObject({ total: 7_000, status: 'paid' })
  expect(bill?.lines.data.map(line => line.quantity)).toEqual([10, 5])
})

test.each<[string, Tiers, string]>([
  ['the last is open', [tier(10, '1')], 'tiers[0][up_to]'],
  ['only the last is open', [tier('inf', '1'), tier('inf', '1')], 'tiers[0][up_to]'],
  ['they go up', [tier(10, '2'), tier(10, '2'), tier('inf', '1')], 'tiers[1][up_to]'],
  ['each costs something, if only nothing', [{ up_to: 'inf' }], 'tiers[0][unit_amount_decimal]'],
])('tiers: %s', async (_rule, tiers, param) => {
  await expect(tiered(tiers)).rejects.toMatchObject({ statusCode: 400, param })
})

test('products of decimals are rounded once, half away from zero', () => {
  expect(productOf(3, '0.5')).toBe(2)
  expect(productOf(-3, '0.5')).toBe(-2)
  expect(productOf(1_000_000_007, '0.123456789012')).toBe(123_456_790)
  expect(percentOf(999, 12.5)).toBe(125)
  expect(percentOf(119, 19, 119)).toBe(19)
  expect(sumOf([0.1, 0.2])).toBe(0.3)
})
