import type Stripe from 'stripe'
import type { Coupon, Discount, PromotionCode } from '../discount-objects.ts'
import { invalid, missingReference } from '../http/api-error.ts'
import { newId } from '../ids.ts'
import type { Customer, Invoice, Subscription } from '../objects.ts'
import { skeleton } from '../schema/skeleton.ts'
import { now, type World } from '../world.ts'
import { emit } from './events.ts'
import { cycleStart } from './periods.ts'

type Input = Stripe.SubscriptionCreateParams.Discount

interface Redeemer {
  customer: Customer
  /** Its discounts may be named again; a preview of something new has none. */
  subscription?: Subscription | undefined
  currency: string
  at: number
  /** What the first invoice comes to without the discount; unknown on an update. */
  subtotal: number | undefined
}

const isUsedUp = (one: Coupon | PromotionCode) =>
  one.max_redemptions !== null && one.times_redeemed >= one.max_redemptions

/** Brings `valid` and `active` up to date with the time and the redemptions so far. */
export function refreshCoupon(coupon: Coupon, at: number): Coupon {
  coupon.valid = !isUsedUp(coupon) && (coupon.redeem_by === null || coupon.redeem_by > at)
  return coupon
}

export function refreshCode(world: World, code: PromotionCode, at: number): PromotionCode {
  const coupon = world.store.get('coupon', code.promotion.coupon)
  const open = !isUsedUp(code) && (code.expires_at === null || code.expires_at > at)
  code.active = code._switchedOn && open && coupon !== undefined && refreshCoupon(coupon, at).valid
  return code
}

function redeemable(world: World, id: string, { at, currency }: Redeemer, param: string): Coupon {
  const coupon = world.store.get('coupon', id)
  if (!coupon) throw missingReference('coupon', id, param)
  if (coupon.redeem_by !== null && coupon.redeem_by <= at)
    throw invalid(`Coupon expired: ${id}`, param, 'coupon_expired')
  if (isUsedUp(coupon))
    throw invalid(`Coupon ${id} is used up and cannot be applied.`, param, 'coupon_expired')
  if (coupon.currency !== null && coupon.currency !== currency)
    throw invalid(
      `The coupon's currency \`${coupon.currency}\` doesn't match the expected currency \`${currency}\`.`,
      param,
    )
  return coupon
}

const hasPaid = (world: World, customer: Customer) =>
  world.store.all('invoice').some(one => one.customer === customer.id && one.amount_paid > 0)

const refused = (why: string, param: string) =>
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
    throw refused('the order is below its minimum amount', param)
}

function assertCode(world: World, id: string, redeemer: Redeemer, param: string): PromotionCode {
  const code = world.store.get('promotion_code', id)
  if (!code) throw missingReference('promotion code', id, param)
  const { customer, at } = redeemer
  if (code.expires_at !== null && code.expires_at <= at)
    throw invalid('This promotion code has expired.', param)
  if (isUsedUp(code)) throw refused('it has been used the maximum number of times', param)
  if (!code._switchedOn) throw invalid('This promotion code is not active.', param)
  if (code.customer !== null && code.customer !== customer.id)
    throw refused('it belongs to another customer', param)
  if (code.restrictions.first_time_transaction && hasPaid(world, customer))
    throw refused('the associated customer has prior transactions', param)
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
    // the skeleton holds what the SDK's type requires beyond the fields of ours
    ...skeleton('Discount'),
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

function readDiscount(world: World, input: Input, redeemer: Redeemer, param: string): Discount {
  const { coupon, promotion_code: code, discount } = input
  if ([coupon, code, discount].filter(one => one !== undefined).length !== 1)
    throw invalid('You must give exactly one of coupon, promotion_code and discount.', param)
  if (discount !== undefined) {
    const known = redeemer.subscription?._discounts?.find(one => one.id === discount)
    if (!known) throw missingReference('discount', discount, `${param}[discount]`)
    return known
  }
  if (code === undefined)
    return newDiscount(redeemable(world, coupon ?? '', redeemer, `${param}[coupon]`), null, redeemer)
  const found = assertCode(world, code, redeemer, `${param}[promotion_code]`)
  const named = redeemable(world, found.promotion.coupon, redeemer, `${param}[promotion_code]`)
  return newDiscount(named, found.id, redeemer)
}

/** What the request wants off, checked but not yet redeemed; nothing given is nothing off. */
export function readDiscounts(world: World, inputs: readonly Input[] | '' | null, redeemer: Redeemer) {
  const read = (inputs || []).map((input, index) =>
    readDiscount(world, input, redeemer, `discounts[${index}]`),
  )
  const coupons = read.map(one => one.source.coupon)
  if (new Set(coupons).size < coupons.length)
    throw invalid('The same coupon cannot be applied more than once.', 'discounts')
  return read
}

export const liveDiscounts = (subscription: Subscription, at: number): Discount[] =>
  (subscription._discounts ?? []).filter(one => one.end === null || one.end > at)

function count(world: World, { source, promotion_code: codeId }: Discount, by: 1 | -1) {
  const coupon = world.store.get('coupon', source.coupon)
  const code = codeId === null ? undefined : world.store.get('promotion_code', codeId)
  for (const one of [coupon, code])
    if (one) world.store.save(Object.assign(one, { times_redeemed: one.times_redeemed + by }))
}

function end(world: World, discount: Discount, at: number) {
  const ended = { ...discount, end: at }
  emit(world, 'customer.discount.deleted', world.store.save(ended), { at })
  return ended
}

/** Makes these the discounts of a subscription: redeems what is new and ends what is no longer among them. */
export function setDiscounts(world: World, subscription: Subscription, wanted: Discount[]) {
  const at = now(world, subscription.test_clock)
  const before = subscription._discounts ?? []
  subscription._discounts = wanted
  subscription.discounts = wanted.map(one => one.id)
  for (const one of before) if (!wanted.includes(one)) end(world, one, at)
  for (const one of wanted)
    if (!before.includes(one)) {
      one.subscription = subscription.id
      count(world, one, 1)
      emit(world, 'customer.discount.created', world.store.save(one), { at })
    }
}

/** A redemption that did not come about leaves its code as good as before. */
export function giveBack(world: World, discounts: readonly Discount[]) {
  for (const one of discounts) {
    count(world, one, -1)
    world.store.remove('discount', one.id)
  }
}

/** As if the change had not been asked for: what it redeemed goes back, what was there is there again. */
export function restoreDiscounts(
  world: World,
  subscription: Subscription,
  before: Discount[],
  tried: readonly Discount[],
) {
  giveBack(
    world,
    tried.filter(one => !before.includes(one)),
  )
  subscription._discounts = before
  subscription.discounts = before.map(one => world.store.save(one).id)
}

/** Ends what is over: by its date, or because this invoice has used what was good once. */
export function endSpent(world: World, subscription: Subscription, used: ReadonlySet<string>) {
  const at = now(world, subscription.test_clock)
  const stays = liveDiscounts(subscription, at).filter(
    one => one._coupon.duration !== 'once' || !used.has(one.id),
  )
  if (stays.length < (subscription._discounts ?? []).length) setDiscounts(world, subscription, stays)
}

/** What came with a change that waited is in force with it; what the change's own invoice has used is over. */
export function redeemPending(world: World, subscription: Subscription, invoice: Invoice) {
  const wanted = subscription._pendingDiscounts
  if (!wanted) return
  subscription._pendingDiscounts = undefined
  setDiscounts(world, subscription, wanted)
  const used = (invoice.total_discount_amounts ?? []).filter(one => one.amount > 0)
  endSpent(world, subscription, new Set(used.map(one => one.discount)))
}

/** Takes every discount off; Stripe answers with the last one. */
export function dropDiscounts(world: World, subscription: Subscription): Discount | undefined {
  const last = subscription._discounts?.at(-1)
  setDiscounts(world, subscription, [])
  return last
}
