import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createBuyer } from './support/buyer.ts'
import { sandboxWithPrices } from './support/sandbox.ts'

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

test('a used-up coupon or code is refused', async () => {
  const coupon = await percent(10, { max_redemptions: 1 })
  const code = await codeFor(coupon.id, { max_redemptions: 1 })
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

test('a code that is inactive or for another customer, and a coupon in another currency, are refused', async () => {
  const open = await percent(10)
  const off = await codeFor(open.id)
  await stripe.promotionCodes.update(off.id, { active: false })
  const { customer: friend } = await buyer()
  const personal = await codeFor(open.id, { customer: friend.id })
  for (const { id } of [off, personal])
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
