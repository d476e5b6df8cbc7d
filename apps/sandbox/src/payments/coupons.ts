import type Stripe from 'stripe'
import type { Coupon } from '../discount-objects.ts'
import { invalid, missing } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { includes, page } from '../http/wire.ts'
import { randomText } from '../ids.ts'
import { make, type World, wallTime } from '../world.ts'
import { refreshCoupon } from './discounts.ts'
import { emit, saveChanged, snapshot } from './events.ts'
import { assign, mergeMetadata } from './params.ts'

includes('coupon.applies_to', (world, id) => ({ products: world.store.get('coupon', id)?._products ?? [] }))

function couponById(world: World, id: string): Coupon {
  const coupon = world.store.get('coupon', id)
  if (!coupon) throw missing('coupon', id)
  return refreshCoupon(coupon, wallTime(world))
}

const isWholePositive = (value: number) => Number.isInteger(value) && value > 0

function assertAmounts({ percent_off: percent, amount_off: amount, currency }: Stripe.CouponCreateParams) {
  if ((percent === undefined) === (amount === undefined))
    throw invalid('You must provide either percent_off or amount_off, and not both.', 'percent_off')
  if (percent !== undefined && (percent <= 0 || percent > 100))
    throw invalid('Invalid percent_off: must be greater than 0 and at most 100.', 'percent_off')
  if (amount === undefined) return
  if (!isWholePositive(amount))
    throw invalid('Invalid positive integer: amount_off.', 'amount_off', 'parameter_invalid_integer')
  if (!currency)
    throw invalid('You must pass currency when passing amount_off', 'currency', 'parameter_missing')
}

function assertLife(params: Stripe.CouponCreateParams, at: number) {
  const { duration = 'once', duration_in_months: months, redeem_by: by, max_redemptions: most } = params
  if (duration === 'repeating' && (months === undefined || !isWholePositive(months)))
    throw invalid(
      'You must pass duration_in_months, a positive integer, when passing duration=repeating.',
      'duration_in_months',
      months === undefined ? 'parameter_missing' : 'parameter_invalid_integer',
    )
  if (duration !== 'repeating' && months !== undefined)
    throw invalid('You can only pass duration_in_months with duration=repeating.', 'duration_in_months')
  if (by !== undefined && by <= at) throw invalid('redeem_by must be in the future.', 'redeem_by')
  if (most !== undefined && !isWholePositive(most))
    throw invalid(
      'Invalid positive integer: max_redemptions.',
      'max_redemptions',
      'parameter_invalid_integer',
    )
}

route<Stripe.CouponCreateParams>('POST', '/v1/coupons', 'CouponCreateParams', ({ world, params }) => {
  const created = wallTime(world)
  assertAmounts(params)
  assertLife(params, created)
  if (params.id && world.store.get('coupon', params.id))
    throw invalid('Coupon already exists.', 'id', 'resource_already_exists')
  const coupon = make<Coupon>('Coupon', 'coupon', {
    id: params.id ?? randomText(8),
    created,
    amount_off: params.amount_off ?? null,
    currency: params.amount_off === undefined ? null : (params.currency?.toLowerCase() ?? null),
    duration: 'once',
    duration_in_months: params.duration_in_months ?? null,
    max_redemptions: params.max_redemptions ?? null,
    metadata: mergeMetadata({}, params.metadata),
    name: params.name ?? null,
    percent_off: params.percent_off ?? null,
    redeem_by: params.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
    _products: params.applies_to?.products ?? [],
  })
  assign(coupon, params, ['duration'])
  emit(world, 'coupon.created', world.store.save(coupon))
  return coupon
})

route('GET', '/v1/coupons/:id', 'CouponRetrieveParams', ({ world, id }) => couponById(world, id))

route<Stripe.CouponListParams>('GET', '/v1/coupons', 'CouponListParams', ({ world, params, path }) => {
  const at = wallTime(world)
  return page(
    world.store.all('coupon').map(one => refreshCoupon(one, at)),
    path,
    params,
  )
})

route<Stripe.CouponUpdateParams>('POST', '/v1/coupons/:id', 'CouponUpdateParams', ({ world, params, id }) => {
  const coupon = couponById(world, id)
  const before = snapshot(coupon)
  assign(coupon, params, ['name'])
  coupon.metadata = mergeMetadata(coupon.metadata, params.metadata)
  saveChanged(world, 'coupon.updated', coupon, before)
  return coupon
})

/** Whoever has redeemed it keeps what they have; nobody else can any more. */
route('DELETE', '/v1/coupons/:id', 'CouponDeleteParams', ({ world, id }) => {
  const coupon = couponById(world, id)
  coupon.valid = false
  world.store.remove('coupon', id)
  emit(world, 'coupon.deleted', coupon)
  return { id, object: 'coupon', deleted: true }
})
