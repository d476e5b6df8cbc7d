import type Stripe from 'stripe'
import { currentTime, type SandboxContext } from '../../context.ts'
import { invalid, missingReference } from '../../http/api-error.ts'
import type { Customer, Invoice, Subscription } from '../../objects/billing-objects.ts'
import type { Coupon, Discount, PromotionCode } from '../../objects/discount-objects.ts'
import { newId } from '../../objects/ids.ts'
import { emptyStripeObject } from '../../schema/empty-object.ts'
import { emitEvent } from '../events/emit-event.ts'
import { cycleStart } from '../subscriptions/periods.ts'

type Input = Stripe.SubscriptionCreateParams.Discount

interface Redeemer {
  customer: Customer
  /** Its discounts can be kept; undefined in the preview of a new subscription. */
  subscription?: Subscription | undefined
  currency: string
  at: number
  /** Subtotal of the first invoice; undefined on an update. */
  subtotal: number | undefined
}

const isUsedUp = (one: Coupon | PromotionCode) =>
  one.max_redemptions !== null && one.times_redeemed >= one.max_redemptions

/** Updates `active` by the redemptions and the coupon. */
export function refreshCode(context: SandboxContext, code: PromotionCode): PromotionCode {
  const coupon = context.store.get('coupon', code.promotion.coupon)
  code.active = code._switchedOn && !isUsedUp(code) && coupon?.valid === true
  return code
}

function redeemable(context: SandboxContext, id: string, { currency }: Redeemer, param: string): Coupon {
  const coupon = context.store.get('coupon', id)
  if (!coupon) throw missingReference('coupon', id, param)
  if (isUsedUp(coupon))
    throw invalid(`Coupon ${id} is used up and cannot be applied.`, param, 'coupon_expired')
  if (coupon.currency !== null && coupon.currency !== currency)
    throw invalid(
      `The coupon's currency \`${coupon.currency}\` doesn't match the expected currency \`${currency}\`.`,
      param,
    )
  return coupon
}

const hasPaid = (context: SandboxContext, customer: Customer) =>
  context.store.all('invoice').some(one => one.customer === customer.id && one.amount_paid > 0)

const codeError = (why: string, param: string) =>
  invalid(`This promotion code cannot be redeemed because ${why}.`, param)

function assertMinimum(code: PromotionCode, { currency, subtotal }: Redeemer, param: string) {
  const { minimum_amount: minimum, minimum_amount_currency: minimumCurrency } = code.restrictions
  if (minimum === null) return
  if (subtotal === undefined)
    throw invalid(
      'This promotion code cannot be redeemed on a subscription update because it uses the `minimum_amount` restriction and the amount may change.',
      param,
    )
  if (minimumCurrency !== currency || subtotal < minimum)
    throw codeError('the order is below its minimum amount', param)
}

function assertCode(context: SandboxContext, id: string, redeemer: Redeemer, param: string): PromotionCode {
  const code = context.store.get('promotion_code', id)
  if (!code) throw missingReference('promotion code', id, param)
  const { customer } = redeemer
  if (isUsedUp(code)) throw codeError('it has been used the maximum number of times', param)
  if (!code._switchedOn) throw invalid('This promotion code is not active.', param)
  if (code.customer !== null && code.customer !== customer.id)
    throw codeError('it belongs to another customer', param)
  if (code.restrictions.first_time_transaction && hasPaid(context, customer))
    throw codeError('the associated customer has prior transactions', param)
  assertMinimum(code, redeemer, param)
  return code
}

function newDiscount(
  coupon: Coupon,
  code: string | null,
  { customer, subscription, at }: Redeemer,
): Discount {
  const months = coupon.duration === 'repeating' ? (coupon.duration_in_months ?? 1) : null
  return {
    // The other fields that the SDK's type requires.
    ...emptyStripeObject('Discount'),
    id: newId('di'),
    object: 'discount',
    customer: customer.id,
    end: months === null ? null : cycleStart(at, { interval: 'month', interval_count: 1 }, months),
    promotion_code: code,
    source: { type: 'coupon', coupon: coupon.id },
    start: at,
    subscription: subscription?.id ?? null,
    _coupon: structuredClone(coupon),
  }
}

function readDiscount(context: SandboxContext, input: Input, redeemer: Redeemer, param: string): Discount {
  const { coupon, promotion_code: code, discount } = input
  if ([coupon, code, discount].filter(one => one !== undefined).length !== 1)
    throw invalid('You must give exactly one of coupon, promotion_code and discount.', param)
  if (discount !== undefined) {
    const known = redeemer.subscription?._discounts?.find(one => one.id === discount)
    if (!known) throw missingReference('discount', discount, `${param}[discount]`)
    return known
  }
  if (code === undefined)
    return newDiscount(redeemable(context, coupon ?? '', redeemer, `${param}[coupon]`), null, redeemer)
  const found = assertCode(context, code, redeemer, `${param}[promotion_code]`)
  const named = redeemable(context, found.promotion.coupon, redeemer, `${param}[promotion_code]`)
  return newDiscount(named, found.id, redeemer)
}

/** Reads and checks the discounts of a request without redeeming them. */
export function readDiscounts(
  context: SandboxContext,
  inputs: readonly Input[] | '' | null,
  redeemer: Redeemer,
) {
  const read = (inputs || []).map((input, index) =>
    readDiscount(context, input, redeemer, `discounts[${index}]`),
  )
  const coupons = read.map(one => one.source.coupon)
  if (new Set(coupons).size < coupons.length)
    throw invalid('The same coupon cannot be applied more than once.', 'discounts')
  return read
}

export const liveDiscounts = (subscription: Subscription, at: number): Discount[] =>
  (subscription._discounts ?? []).filter(one => one.end === null || one.end > at)

function countRedemption(context: SandboxContext, { source, promotion_code: codeId }: Discount) {
  const coupon = context.store.get('coupon', source.coupon)
  const code = codeId === null ? undefined : context.store.get('promotion_code', codeId)
  for (const one of [coupon, code])
    if (one) context.store.save(Object.assign(one, { times_redeemed: one.times_redeemed + 1 }))
  if (coupon) coupon.valid = !isUsedUp(coupon)
}

function endDiscount(context: SandboxContext, discount: Discount, at: number) {
  const ended = { ...discount, end: at }
  emitEvent(context, 'customer.discount.deleted', context.store.save(ended), { at })
  return ended
}

/** Sets a subscription's discounts: redeems new ones and ends those not listed. */
export function setDiscounts(context: SandboxContext, subscription: Subscription, wanted: Discount[]) {
  const at = currentTime(context, subscription.test_clock)
  const before = subscription._discounts ?? []
  subscription._discounts = wanted
  subscription.discounts = wanted.map(one => one.id)
  for (const one of before) if (!wanted.includes(one)) endDiscount(context, one, at)
  for (const one of wanted)
    if (!before.includes(one)) {
      one.subscription = subscription.id
      countRedemption(context, one)
      emitEvent(context, 'customer.discount.created', context.store.save(one), { at })
    }
}

/** Ends discounts that are past their end, and one-time discounts that this invoice used. */
export function endExpiredDiscounts(
  context: SandboxContext,
  subscription: Subscription,
  used: ReadonlySet<string>,
) {
  const at = currentTime(context, subscription.test_clock)
  const stays = liveDiscounts(subscription, at).filter(
    one => one._coupon.duration !== 'once' || !used.has(one.id),
  )
  if (stays.length < (subscription._discounts ?? []).length) setDiscounts(context, subscription, stays)
}

/** Redeems the discounts of a pending change, and ends those that the change's invoice used. */
export function redeemPendingDiscounts(
  context: SandboxContext,
  subscription: Subscription,
  invoice: Invoice,
) {
  const wanted = subscription._pendingDiscounts
  if (!wanted) return
  subscription._pendingDiscounts = undefined
  setDiscounts(context, subscription, wanted)
  const used = (invoice.total_discount_amounts ?? []).filter(one => one.amount > 0)
  endExpiredDiscounts(context, subscription, new Set(used.map(one => one.discount)))
}
