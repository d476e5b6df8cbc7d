import type Stripe from 'stripe'
import { newObject, type SandboxContext, sandboxTime } from '../../context.ts'
import { invalid, missing } from '../../http/api-error.ts'
import { paginate, registerExpandable } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { Coupon } from '../../objects/discount-objects.ts'
import { randomText } from '../../objects/ids.ts'
import { emitEvent, saveAndEmit, snapshot } from '../events/emit-event.ts'
import { assignFields, mergeMetadata } from '../params.ts'
import { refreshCoupon } from './discounts.ts'

registerExpandable('coupon.applies_to', (context, id) => ({
  products: context.store.get('coupon', id)?._products ?? [],
}))

function couponById(context: SandboxContext, id: string): Coupon {
  const coupon = context.store.get('coupon', id)
  if (!coupon) throw missing('coupon', id)
  return refreshCoupon(coupon, sandboxTime(context))
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

route<Stripe.CouponCreateParams>('POST', '/v1/coupons', 'CouponCreateParams', ({ context, params }) => {
  const created = sandboxTime(context)
  assertAmounts(params)
  assertLife(params, created)
  if (params.id && context.store.get('coupon', params.id))
    throw invalid('Coupon already exists.', 'id', 'resource_already_exists')
  const coupon = newObject<Coupon>('Coupon', 'coupon', {
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
  assignFields(coupon, params, ['duration'])
  emitEvent(context, 'coupon.created', context.store.save(coupon))
  return coupon
})

route('GET', '/v1/coupons/:id', 'CouponRetrieveParams', ({ context, id }) => couponById(context, id))

route<Stripe.CouponListParams>('GET', '/v1/coupons', 'CouponListParams', ({ context, params, path }) => {
  const at = sandboxTime(context)
  return paginate(
    context.store.all('coupon').map(one => refreshCoupon(one, at)),
    path,
    params,
  )
})

route<Stripe.CouponUpdateParams>(
  'POST',
  '/v1/coupons/:id',
  'CouponUpdateParams',
  ({ context, params, id }) => {
    const coupon = couponById(context, id)
    const before = snapshot(coupon)
    assignFields(coupon, params, ['name'])
    coupon.metadata = mergeMetadata(coupon.metadata, params.metadata)
    saveAndEmit(context, 'coupon.updated', coupon, before)
    return coupon
  },
)

/** Existing discounts stay; the coupon cannot be redeemed again. */
route('DELETE', '/v1/coupons/:id', 'CouponDeleteParams', ({ context, id }) => {
  const coupon = couponById(context, id)
  coupon.valid = false
  context.store.remove('coupon', id)
  emitEvent(context, 'coupon.deleted', coupon)
  return { id, object: 'coupon', deleted: true }
})
