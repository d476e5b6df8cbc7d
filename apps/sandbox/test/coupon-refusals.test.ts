import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createBuyer } from './support/buyer.ts'
import { createCustomerWithCard, first, sandboxWithPrices } from './support/sandbox.ts'

const { stripe, prices } = await sandboxWithPrices()

const buyer = () => createBuyer(stripe, prices)
const percent = (percent_off: number, more: Stripe.CouponCreateParams = {}) =>
  stripe.coupons.create({ percent_off, ...more })
const codeFor = (coupon: string, more: Partial<Stripe.PromotionCodeCreateParams> = {}) =>
  stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, ...more })

const refusal = async (discounts: Stripe.SubscriptionCreateParams['discounts']) => {
  const { customer, subscribe } = await buyer()
  const error: unknown = await subscribe({ discounts }).catch((reason: unknown) => reason)
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([])
  return error
}

test('an unknown coupon or code is refused', async () => {
  expect(await refusal([{ coupon: 'none' }])).toMatchObject({
    code: 'resource_missing',
    param: 'discounts[0][coupon]',
    message: "No such coupon: 'none'",
  })
  expect(await refusal([{ promotion_code: 'promo_none' }])).toMatchObject({
    code: 'resource_missing',
    param: 'discounts[0][promotion_code]',
  })
  expect(await refusal([{ discount: 'di_none' }])).toMatchObject({ code: 'resource_missing' })
  expect(await refusal([{ coupon: 'a', discount: 'di_a' }])).toMatchObject({ param: 'discounts[0]' })
})

test('a used-up coupon or code is refused, and a declined payment uses none', async () => {
  const coupon = await percent(10, { max_redemptions: 1 })
  const code = await codeFor(coupon.id, { max_redemptions: 1 })
  const { customer } = await createCustomerWithCard(stripe, '4000000000000341')
  const declined = stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: prices.seat.id }],
    discounts: [{ promotion_code: code.id }],
    payment_behavior: 'error_if_incomplete',
  })
  await expect(declined).rejects.toMatchObject({ code: 'card_declined' })
  const { subscribe } = await buyer()
  await subscribe({ discounts: [{ promotion_code: code.id }] })
  expect(await stripe.promotionCodes.retrieve(code.id)).toMatchObject({ active: false, times_redeemed: 1 })
  expect((await stripe.coupons.retrieve(coupon.id)).valid).toBe(false)
  expect(await refusal([{ promotion_code: code.id }])).toMatchObject({
    type: 'StripeInvalidRequestError',
    param: 'discounts[0][promotion_code]',
  })
  expect(await refusal([{ coupon: coupon.id }])).toMatchObject({ code: 'coupon_expired' })
})

test('a coupon or code that is expired, inactive or for another customer is refused', async () => {
  const soon = Math.floor(Date.now() / 1000) + 60
  const coupon = await percent(10, { redeem_by: soon })
  const open = await percent(10)
  const expiring = await codeFor(open.id, { expires_at: soon })
  const off = await codeFor(open.id, { active: false })
  const { customer: friend } = await buyer()
  const personal = await codeFor(open.id, { customer: friend.id })
  // The buyers' clocks are in 2027.
  expect(await refusal([{ coupon: coupon.id }])).toMatchObject({
    code: 'coupon_expired',
    message: `Coupon expired: ${coupon.id}`,
  })
  for (const { id } of [expiring, off, personal])
    expect(await refusal([{ promotion_code: id }])).toMatchObject({ param: 'discounts[0][promotion_code]' })
  const euros = await stripe.coupons.create({ amount_off: 100, currency: 'eur' })
  expect(await refusal([{ coupon: euros.id }])).toMatchObject({ param: 'discounts[0][coupon]' })
  expect(await refusal([{ coupon: open.id }, { coupon: open.id }])).toMatchObject({ param: 'discounts' })
})

test('a coupon or code for first orders or for larger orders is refused', async () => {
  const coupon = await percent(10)
  const beginner = await codeFor(coupon.id, { restrictions: { first_time_transaction: true } })
  const large = await codeFor(coupon.id, {
    restrictions: { minimum_amount: 7_000, minimum_amount_currency: 'usd' },
  })
  const { subscribe } = await buyer()
  const made = await subscribe({ discounts: [{ promotion_code: beginner.id }] })
  await expect(subscribe({ discounts: [{ promotion_code: beginner.id }] })).rejects.toThrow(
    /prior transactions/,
  )
  expect(await refusal([{ promotion_code: large.id }])).toMatchObject({ statusCode: 400 })
  const later = stripe.subscriptions.update(made.id, { discounts: [{ promotion_code: large.id }] })
  await expect(later).rejects.toThrow(/minimum_amount/)
})

test('a change whose payment fails redeems no code and keeps the old discount', async () => {
  const old = await percent(10, { duration: 'forever' })
  const fresh = await percent(50, { duration: 'forever', max_redemptions: 1 })
  const { customer, subscribe } = await buyer()
  const made = await subscribe({ discounts: [{ coupon: old.id }] })
  const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: bad.id } })
  const change = stripe.subscriptions.update(made.id, {
    items: [{ id: first(made.items).id, price: prices.yearly.id }],
    discounts: [{ coupon: fresh.id }],
    payment_behavior: 'error_if_incomplete',
  })
  await expect(change).rejects.toMatchObject({ code: 'card_declined' })
  expect((await stripe.subscriptions.retrieve(made.id)).discounts).toEqual(made.discounts)
  expect((await stripe.coupons.retrieve(fresh.id)).times_redeemed).toBe(0)
})
