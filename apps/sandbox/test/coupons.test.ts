import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { createBuyer, latestInvoice, start } from './support/buyer.ts'
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

const { sandbox, stripe, prices } = await sandboxWithPrices()

const buyer = () => createBuyer(stripe, prices)

const codeFor = (coupon: string, more: Partial<Stripe.PromotionCodeCreateParams> = {}) =>
  stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, ...more })

const percent = (percent_off: number, more: Stripe.CouponCreateParams = {}) =>
  stripe.coupons.create({ percent_off, ...more })

describe('coupons', () => {
  test('are created, read and deleted; an id is unique', async () => {
    const made = await stripe.coupons.create({ id: 'SPRING', percent_off: 12.5, name: 'Spring' })
    expect(made).toMatchObject({ object: 'coupon', duration: 'once', valid: true, times_redeemed: 0 })
    await expect(percent(10, { id: 'SPRING' })).rejects.toMatchObject({ code: 'resource_already_exists' })
    expect((await stripe.coupons.retrieve('SPRING')).name).toBe('Spring')
    expect(await stripe.coupons.del('SPRING')).toEqual(expect.objectContaining({ deleted: true }))
    await expect(stripe.coupons.retrieve('SPRING')).rejects.toMatchObject({ statusCode: 404 })
    expect(await eventTypes(stripe, 'SPRING')).toEqual(['coupon.created', 'coupon.deleted'])
  })

  test.each<[Stripe.CouponCreateParams, string]>([
    [{}, 'percent_off'],
    [{ percent_off: 10, amount_off: 5, currency: 'usd' }, 'percent_off'],
    [{ percent_off: 101 }, 'percent_off'],
    [{ amount_off: 500 }, 'currency'],
    [{ percent_off: 10, duration: 'repeating' }, 'duration_in_months'],
    [{ percent_off: 10, duration: 'forever', duration_in_months: 3 }, 'duration_in_months'],
  ])('%j is refused', async (params, param) => {
    await expect(stripe.coupons.create(params)).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      param,
    })
  })
})

describe('promotion codes', () => {
  test('are found in any case, and only while active', async () => {
    const coupon = await percent(20)
    const made = await codeFor(coupon.id, { code: 'WELCOME20' })
    expect(made).toMatchObject({ active: true, promotion: { type: 'coupon', coupon: coupon.id } })
    const find = async (code: string) => (await stripe.promotionCodes.list({ code, active: true })).data
    expect((await find('welcome20')).map(one => one.id)).toEqual([made.id])
    expect(await find('WELCOME')).toEqual([])
    await expect(codeFor(coupon.id, { code: 'welcome20' })).rejects.toMatchObject({ param: 'code' })
    await expect(codeFor(coupon.id, { code: 'no spaces' })).rejects.toMatchObject({ param: 'code' })
    expect((await stripe.promotionCodes.update(made.id, { active: false })).active).toBe(false)
    expect(await find('WELCOME20')).toEqual([])
    expect((await stripe.promotionCodes.update(made.id, { active: true })).active).toBe(true)
    const whole = await stripe.promotionCodes.retrieve(made.id, { expand: ['promotion.coupon'] })
    expect(whole.promotion.coupon).toMatchObject({ object: 'coupon', percent_off: 20 })
    await stripe.coupons.del(coupon.id)
    expect((await stripe.promotionCodes.retrieve(made.id)).active).toBe(false)
  })

  test('need an existing coupon', async () => {
    await expect(codeFor('nothing')).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'promotion[coupon]',
    })
  })
})

describe('discounts on invoices', () => {
  test('once: applies to the first invoice only', async () => {
    const coupon = await percent(25)
    const { subscribe, advance, invoices } = await buyer()
    const made = await subscribe({ discounts: [{ coupon: coupon.id }] })
    const invoice = latestInvoice(made)
    const off = first({ data: invoice.total_discount_amounts ?? [] })
    expect(invoice).toMatchObject({ subtotal: 6_000, total: 4_500, amount_paid: 4_500, status: 'paid' })
    expect(off).toMatchObject({ amount: 1_500, discount: invoice.discounts[0] })
    expect(first(invoice.lines)).toMatchObject({
      amount: 6_000,
      discount_amounts: [{ amount: 1_500, discount: off.discount }],
    })
    expect((await stripe.subscriptions.retrieve(made.id)).discounts).toEqual([])
    expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(1)
    await advance(start + 32 * day)
    expect((await invoices())[0]).toMatchObject({ total: 6_000, total_discount_amounts: [] })
    const found = await stripe.invoices.retrieve(invoice.id, { expand: ['discounts.source.coupon'] })
    expect(found.discounts[0]).toMatchObject({ object: 'discount', source: { coupon: { id: coupon.id } } })
  })

  test('repeating: applies for its months; forever: applies always', async () => {
    const months = await percent(50, { duration: 'repeating', duration_in_months: 2 })
    const always = await stripe.coupons.create({ amount_off: 700, currency: 'usd', duration: 'forever' })
    const { subscribe, advance, invoices } = await buyer()
    const made = await subscribe({ discounts: [{ coupon: months.id }, { coupon: always.id }] })
    expect(latestInvoice(made).total).toBe(2_300)
    expect(made.discounts).toHaveLength(2)
    await advance(start + 32 * day)
    await advance(start + 62 * day)
    await advance(start + 93 * day)
    expect((await invoices()).map(one => one.total)).toEqual([5_300, 5_300, 2_300, 2_300])
    const [left] = (await stripe.subscriptions.retrieve(made.id, { expand: ['discounts'] })).discounts
    expect(expanded<Stripe.Discount>(left).source.coupon).toBe(always.id)
  })

  test('once: a free trial invoice does not use it', async () => {
    const coupon = await percent(25)
    const { subscribe, advance, invoices } = await buyer()
    const made = await subscribe({ trial_period_days: 7, discounts: [{ coupon: coupon.id }] })
    expect(made.discounts).toHaveLength(1)
    await advance(start + 8 * day)
    expect((await invoices())[0]).toMatchObject({ total: 4_500, billing_reason: 'subscription_cycle' })
    expect((await stripe.subscriptions.retrieve(made.id)).discounts).toEqual([])
  })

  test('a discount never exceeds the invoice', async () => {
    const coupon = await stripe.coupons.create({ amount_off: 9_000, currency: 'usd' })
    const { subscribe } = await buyer()
    const made = await subscribe({ discounts: [{ coupon: coupon.id }] })
    expect(made.status).toBe('active')
    expect(latestInvoice(made)).toMatchObject({
      total: 0,
      amount_due: 0,
      status: 'paid',
      total_discount_amounts: [{ amount: 6_000 }],
    })
  })

  test('a fixed amount is split over the lines by size without a rest', async () => {
    const product = await stripe.products.create({ name: 'Add-on' })
    const other = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 333,
      recurring: { interval: 'month' },
    })
    const coupon = await stripe.coupons.create({ amount_off: 1_000, currency: 'usd' })
    const { subscribe } = await buyer()
    const items = [{ price: prices.seat.id }, { price: other.id }]
    const invoice = latestInvoice(await subscribe({ items, discounts: [{ coupon: coupon.id }] }))
    const taken = invoice.lines.data.map(line => line.discount_amounts?.[0]?.amount ?? 0)
    expect(taken).toEqual([783, 217])
    expect(invoice.total).toBe(533)

    const limited = await percent(100, { applies_to: { products: [product.id] } })
    const only = latestInvoice(await subscribe({ items, discounts: [{ coupon: limited.id }] }))
    expect(only.total).toBe(1_200)
    const read = await stripe.coupons.retrieve(limited.id, { expand: ['applies_to'] })
    expect(read.applies_to).toEqual({ products: [product.id] })
  })

  test('a preview equals the invoice, with and without a code', async () => {
    const code = await codeFor((await percent(10, { duration: 'forever' })).id)
    const { customer, subscribe } = await buyer()
    const preview = (more: Stripe.InvoiceCreatePreviewParams) => stripe.invoices.createPreview(more)
    const items = [{ price: prices.seat.id, quantity: 5 }]
    const before = await preview({
      customer: customer.id,
      subscription_details: { items },
      discounts: [{ promotion_code: code.id }],
    })
    const made = await subscribe({ discounts: [{ promotion_code: code.id }] })
    expect(before).toMatchObject({ subtotal: 6_000, total: latestInvoice(made).total })
    expect((await stripe.promotionCodes.retrieve(code.id)).times_redeemed).toBe(1)
    expect((await preview({ subscription: made.id })).total).toBe(5_400)
    expect((await preview({ subscription: made.id, discounts: '' })).total).toBe(6_000)
  })

  test('prorations are computed from the discounted price', async () => {
    const coupon = await percent(50, { duration: 'forever' })
    const { subscribe, advance } = await buyer()
    const made = await subscribe({ discounts: [{ coupon: coupon.id }] })
    const item = first(made.items)
    const half = item.current_period_start + (item.current_period_end - item.current_period_start) / 2
    await advance(half)
    const change = { items: [{ id: item.id, quantity: 10 }], proration_date: half }
    const preview = await stripe.invoices.createPreview({
      subscription: made.id,
      subscription_details: { ...change, proration_behavior: 'always_invoice' },
    })
    const changed = await stripe.subscriptions.update(made.id, {
      ...change,
      proration_behavior: 'always_invoice',
      expand: ['latest_invoice'],
    })
    expect(latestInvoice(changed).lines.data.map(line => line.amount)).toEqual([-1_500, 3_000])
    expect([preview.total, latestInvoice(changed).total]).toEqual([1_500, 1_500])
  })

  test('the credit for a period with a one-time discount is net of it', async () => {
    const coupon = await percent(50)
    const { subscribe, advance } = await buyer()
    const made = await subscribe({ discounts: [{ coupon: coupon.id }] })
    const item = first(made.items)
    const half = item.current_period_start + (item.current_period_end - item.current_period_start) / 2
    await advance(half)
    const changed = await stripe.subscriptions.update(made.id, {
      items: [{ id: item.id, quantity: 10 }],
      proration_behavior: 'always_invoice',
      expand: ['latest_invoice'],
    })
    expect(latestInvoice(changed).lines.data.map(line => line.amount)).toEqual([-1_500, 6_000])
  })
})

describe('discounts on a running subscription', () => {
  test('the discount of a pending change is redeemed only when the change is paid', async () => {
    const coupon = await percent(50, { max_redemptions: 1 })
    const dearer = async (outcome: 'complete' | 'fail') => {
      const { customer } = await createCustomerWithCard(stripe, '4000002760003184')
      const made = await stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: prices.seat.id, quantity: 5 }],
      })
      await complete3dSecure(sandbox, await latestIntent(stripe, made.id), 'complete')
      const asked = await stripe.subscriptions.update(made.id, {
        items: [{ id: first(made.items).id, price: prices.yearly.id }],
        discounts: [{ coupon: coupon.id }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'pending_if_incomplete',
        expand: ['pending_update.discounts'],
      })
      expect(asked.discounts).toEqual([])
      expect(asked.pending_update?.discounts).toMatchObject([{ source: { coupon: coupon.id } }])
      expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(0)
      await complete3dSecure(sandbox, await latestIntent(stripe, made.id), outcome)
      return stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice'] })
    }
    const failed = await dearer('fail')
    await stripe.invoices.voidInvoice(latestInvoice(failed).id ?? '')
    expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(0)
    const paid = await dearer('complete')
    expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(1)
    expect(latestInvoice(paid).total_discount_amounts).toHaveLength(1)
    // A one-time discount, used by the change's invoice.
    expect(paid).toMatchObject({ pending_update: null, discounts: [] })
  })

  test('a preview works without a customer', async () => {
    const code = await codeFor((await percent(10)).id)
    const items = [{ price: prices.seat.id, quantity: 5 }]
    const preview = (more: Stripe.InvoiceCreatePreviewParams) =>
      stripe.invoices.createPreview({ subscription_details: { items }, ...more })
    const before = (await stripe.customers.list({ limit: 100 })).data.length
    const shown = await preview({
      customer_details: { tax_exempt: 'none' },
      discounts: [{ promotion_code: code.id }],
    })
    expect(shown).toMatchObject({ customer: null, subtotal: 6_000, total: 5_400 })
    expect((await stripe.customers.list({ limit: 100 })).data).toHaveLength(before)
    await expect(preview({})).rejects.toMatchObject({ param: 'customer' })
  })

  test('a code is added, replaced, kept by its id, and removed', async () => {
    const one = await percent(10, { duration: 'forever' })
    const two = await percent(30, { duration: 'forever' })
    const { subscribe } = await buyer()
    const { id } = await subscribe()
    const set = (discounts: Stripe.SubscriptionUpdateParams['discounts']) =>
      stripe.subscriptions.update(id, { discounts })
    const [kept] = (await set([{ coupon: one.id }])).discounts
    const both = await set([{ discount: String(kept) }, { coupon: two.id }])
    expect(both.discounts).toHaveLength(2)
    expect(both.discounts[0]).toBe(kept)
    expect((await stripe.coupons.retrieve(one.id)).times_redeemed).toBe(1)
    expect((await set([{ coupon: two.id }])).discounts).toHaveLength(1)
    expect((await set('')).discounts).toEqual([])
    const types = await eventTypes(stripe, String(kept))
    expect(types).toEqual(['customer.discount.created', 'customer.discount.deleted'])
  })
})
