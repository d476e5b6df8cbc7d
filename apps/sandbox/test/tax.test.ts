import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { createBuyer, latestInvoice, start } from './support/buyer.ts'
import { eventTypes, first, sandboxWithPrices } from './support/sandbox.ts'

const day = 86_400

const { stripe, prices } = await sandboxWithPrices()

const buyer = (more?: Stripe.CustomerUpdateParams) => createBuyer(stripe, prices, more)

const rate = (percentage: number, inclusive: boolean) =>
  stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive, country: 'DE', tax_type: 'vat' })

const german = { address: { country: 'DE', postal_code: '10115' } }

describe('tax rates', () => {
  test('are created, read, listed and archived', async () => {
    const made = await rate(19, false)
    expect(made).toMatchObject({ object: 'tax_rate', percentage: 19, inclusive: false, tax_type: 'vat' })
    expect((await stripe.taxRates.list({ active: true })).data.map(one => one.id)).toContain(made.id)
    expect((await stripe.taxRates.list({ inclusive: true })).data.map(one => one.id)).not.toContain(made.id)
    expect((await stripe.taxRates.update(made.id, { active: false })).active).toBe(false)
    expect((await stripe.taxRates.retrieve(made.id)).active).toBe(false)
    const { subscribe } = await buyer()
    await expect(subscribe({ default_tax_rates: [made.id] })).rejects.toMatchObject({
      param: 'default_tax_rates[0]',
    })
    await expect(subscribe({ default_tax_rates: ['txr_none'] })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'default_tax_rates[0]',
    })
    await expect(rate(101, false)).rejects.toMatchObject({ param: 'percentage' })
  })

  test('exclusive: is added after the discount', async () => {
    const { id } = await rate(19, false)
    const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'forever' })
    const { subscribe } = await buyer()
    const made = await subscribe({ default_tax_rates: [id], discounts: [{ coupon: coupon.id }] })
    expect(made.default_tax_rates?.[0]?.id).toBe(id)
    const tax = {
      amount: 1_026,
      tax_behavior: 'exclusive',
      tax_rate_details: { tax_rate: id },
      taxable_amount: 5_400,
    }
    expect(latestInvoice(made)).toMatchObject({
      subtotal: 6_000,
      subtotal_excluding_tax: 6_000,
      total: 6_426,
      total_excluding_tax: 5_400,
      total_taxes: [tax],
      amount_paid: 6_426,
    })
    expect(first(latestInvoice(made).lines).taxes).toMatchObject([tax])
  })

  test('inclusive: is part of the price', async () => {
    const { id } = await rate(19, true)
    const { subscribe } = await buyer()
    const made = await subscribe({ default_tax_rates: [id] })
    expect(latestInvoice(made)).toMatchObject({
      subtotal: 6_000,
      subtotal_excluding_tax: 5_042,
      total: 6_000,
      total_excluding_tax: 5_042,
      total_taxes: [{ amount: 958, tax_behavior: 'inclusive', taxable_amount: 5_042 }],
    })
  })

  test('are previewed, changed and removed on a running subscription', async () => {
    const { id } = await rate(20, false)
    const { subscribe } = await buyer()
    const made = await subscribe()
    expect(latestInvoice(made)).toMatchObject({ total: 6_000, total_taxes: [], total_excluding_tax: 6_000 })
    const preview = await stripe.invoices.createPreview({
      subscription: made.id,
      subscription_details: { default_tax_rates: [id] },
    })
    expect(preview).toMatchObject({ total: 7_200, total_excluding_tax: 6_000 })
    const total = async () => (await stripe.invoices.createPreview({ subscription: made.id })).total
    expect(await total()).toBe(6_000)
    await stripe.subscriptions.update(made.id, { default_tax_rates: [id] })
    expect(await total()).toBe(7_200)
    const off = await stripe.subscriptions.update(made.id, { default_tax_rates: '' })
    expect([off.default_tax_rates, await total()]).toEqual([[], 6_000])
  })

  test('a credit returns its exact tax', async () => {
    const { id } = await rate(19, false)
    const { subscribe, advance } = await buyer()
    const made = await subscribe({ default_tax_rates: [id] })
    const item = first(made.items)
    const half = item.current_period_start + (item.current_period_end - item.current_period_start) / 2
    await advance(half)
    const changed = await stripe.subscriptions.update(made.id, {
      items: [{ id: item.id, quantity: 4 }],
      proration_behavior: 'always_invoice',
      expand: ['latest_invoice'],
    })
    expect(latestInvoice(changed)).toMatchObject({ subtotal: -600, total: -714, ending_balance: -714 })
  })
})

describe('automatic tax', () => {
  test('is off by default', async () => {
    const { subscribe } = await buyer(german)
    const made = await subscribe()
    expect(made.automatic_tax).toEqual({ enabled: false, disabled_reason: null, liability: null })
    expect(latestInvoice(made)).toMatchObject({
      total: 6_000,
      automatic_tax: { enabled: false, status: null },
    })
  })

  test('follows the customer’s country and the price’s tax behavior', async () => {
    const inside = await stripe.prices.create({
      product: String(prices.seat.product),
      currency: 'usd',
      unit_amount: 11_900,
      tax_behavior: 'inclusive',
      recurring: { interval: 'month' },
    })
    const { subscribe } = await buyer(german)
    const made = await subscribe({
      automatic_tax: { enabled: true },
      items: [{ price: prices.seat.id, quantity: 5 }, { price: inside.id }],
    })
    expect(latestInvoice(made)).toMatchObject({
      automatic_tax: { enabled: true, status: 'complete' },
      subtotal: 17_900,
      total: 19_040,
      total_excluding_tax: 16_000,
      total_taxes: [
        { amount: 1_140, tax_behavior: 'exclusive', taxability_reason: 'standard_rated' },
        { amount: 1_900, tax_behavior: 'inclusive', taxable_amount: 10_000 },
      ],
    })
    const used = latestInvoice(made).total_taxes?.[0]?.tax_rate_details?.tax_rate
    expect(await stripe.taxRates.retrieve(String(used))).toMatchObject({ country: 'DE', percentage: 19 })
  })

  test('without a country: a preview reports it and a subscription is refused', async () => {
    const { customer, subscribe } = await buyer()
    const ask = (details?: Stripe.InvoiceCreatePreviewParams.CustomerDetails) =>
      stripe.invoices.createPreview({
        customer: customer.id,
        automatic_tax: { enabled: true },
        subscription_details: { items: [{ price: prices.seat.id, quantity: 5 }] },
        customer_details: details,
      })
    expect(await ask()).toMatchObject({
      automatic_tax: { enabled: true, status: 'requires_location_inputs' },
      total: 6_000,
    })
    expect(await ask({ address: { country: 'US' } })).toMatchObject({
      automatic_tax: { status: 'requires_location_inputs' },
    })
    expect(await ask(german)).toMatchObject({ automatic_tax: { status: 'complete' }, total: 7_140 })
    expect(await ask({ ...german, tax_exempt: 'reverse' })).toMatchObject({
      total: 6_000,
      total_taxes: [{ amount: 0, taxability_reason: 'reverse_charge' }],
    })
    await expect(subscribe({ automatic_tax: { enabled: true } })).rejects.toMatchObject({
      statusCode: 400,
      code: 'customer_tax_location_invalid',
    })
    expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([])
    const made = await subscribe()
    await expect(
      stripe.subscriptions.update(made.id, { automatic_tax: { enabled: true } }),
    ).rejects.toMatchObject({ code: 'customer_tax_location_invalid' })
  })

  test('without a country at a renewal: the invoice has no tax and automatic tax is turned off', async () => {
    const { customer, subscribe, advance } = await buyer(german)
    const made = await subscribe({ automatic_tax: { enabled: true } })
    expect(latestInvoice(made).total).toBe(7_140)
    await stripe.customers.update(customer.id, { address: '' })
    await advance(start + 32 * day)
    const after = await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice'] })
    expect(after.automatic_tax).toMatchObject({
      enabled: false,
      disabled_reason: 'requires_location_inputs',
    })
    expect(latestInvoice(after)).toMatchObject({
      status: 'paid',
      total: 6_000,
      automatic_tax: { enabled: false, disabled_reason: 'finalization_requires_location_inputs' },
    })
    expect(await eventTypes(stripe, made.id)).toContain('customer.subscription.updated')
  })

  test('cannot be combined with named rates', async () => {
    const { id } = await rate(19, false)
    const { subscribe } = await buyer(german)
    await expect(
      subscribe({ automatic_tax: { enabled: true }, default_tax_rates: [id] }),
    ).rejects.toMatchObject({ param: 'default_tax_rates' })
  })

  test('is not collected in other countries', async () => {
    const { subscribe } = await buyer({ address: { country: 'US', postal_code: '97712' } })
    expect(latestInvoice(await subscribe({ automatic_tax: { enabled: true } }))).toMatchObject({
      total: 6_000,
      automatic_tax: { enabled: true, status: 'complete' },
      total_taxes: [],
    })
  })
})
