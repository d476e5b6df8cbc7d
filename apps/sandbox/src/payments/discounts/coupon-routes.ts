import type Stripe from 'stripe'
import { newObject, sandboxTime } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import { findById, retrieveRoute } from '../../http/object-routes.ts'
import { registerExpandable } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { Coupon } from '../../objects/discount-objects.ts'
import { randomText } from '../../objects/ids.ts'
import { emitEvent } from '../events/emit-event.ts'
import { assignFields } from '../params.ts'

registerExpandable('coupon.applies_to', (context, id) => ({
  products: context.store.get('coupon', id)?._products ?? [],
}))

function assertAmounts({ percent_off: percent, amount_off: amount, currency }: Stripe.CouponCreateParams) {
  if ((percent === undefined) === (amount === undefined))
    throw invalid('You must provide either percent_off or amount_off, and not both.', 'percent_off')
  if (percent !== undefined && (percent <= 0 || percent > 100))
    throw invalid('Invalid percent_off: must be greater than 0 and at most 100.', 'percent_off')
  if (amount !== undefined && !currency)
    throw invalid('You must pass currency when passing amount_off', 'currency', 'parameter_missing')
}

route<Stripe.CouponCreateParams>('POST', '/v1/coupons', 'CouponCreateParams', ({ context, params }) => {
  const { duration = 'once', duration_in_months: months } = params
  assertAmounts(params)
  if ((duration === 'repeating') !== (months !== undefined))
    throw invalid('You must pass duration_in_months with duration=repeating only.', 'duration_in_months')
  if (params.id && context.store.get('coupon', params.id))
    throw invalid('Coupon already exists.', 'id', 'resource_already_exists')
  const coupon = newObject<Coupon>('Coupon', 'coupon', {
    id: params.id ?? randomText(8),
    created: sandboxTime(context),
    currency: params.currency?.toLowerCase() ?? null,
    duration: 'once',
    valid: true,
    _products: params.applies_to?.products ?? [],
  })
  assignFields(coupon, params, [
    ...(['amount_off', 'duration', 'duration_in_months'] as const),
    ...(['max_redemptions', 'name', 'percent_off'] as const),
  ])
  emitEvent(context, 'coupon.created', context.store.save(coupon))
  return coupon
})

retrieveRoute('coupon')

/** Existing discounts stay; the coupon cannot be redeemed again. */
route('DELETE', '/v1/coupons/:id', 'CouponDeleteParams', ({ context, id }) => {
  const coupon = findById(context, 'coupon', id)
  coupon.valid = false
  context.store.remove('coupon', id)
  emitEvent(context, 'coupon.deleted', coupon)
  return { id, object: 'coupon', deleted: true }
})
