import type Stripe from 'stripe'
import { newObject, type SandboxContext, sandboxTime } from '../../context.ts'
import { invalid, missingReference } from '../../http/api-error.ts'
import { findById, isWanted, retrieveRoute } from '../../http/object-routes.ts'
import { paginate } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { PromotionCode } from '../../objects/discount-objects.ts'
import { randomText } from '../../objects/ids.ts'
import { emitEvent, saveAndEmit, snapshot } from '../events/emit-event.ts'
import { customerById } from '../find-by-id.ts'
import { refreshCode } from './discounts.ts'

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Active codes must differ by more than case. */
function assertFree(context: SandboxContext, text: string) {
  if (!/^[\w-]{1,500}$/.test(text) || text.includes('_'))
    throw invalid('A code may hold the letters a-z and A-Z, the digits 0-9 and dashes.', 'code')
  const twin = context.store
    .all('promotion_code')
    .some(one => isSame(one.code, text) && refreshCode(context, one).active)
  if (twin) throw invalid(`An active promotion code with \`code: ${text}\` already exists.`, 'code')
}

function couponOf(context: SandboxContext, { promotion }: Stripe.PromotionCodeCreateParams): string {
  if (!promotion.coupon)
    throw invalid('Missing required param: promotion[coupon].', 'promotion[coupon]', 'parameter_missing')
  if (!context.store.get('coupon', promotion.coupon))
    throw missingReference('coupon', promotion.coupon, 'promotion[coupon]')
  return promotion.coupon
}

function readRestrictions(input: Stripe.PromotionCodeCreateParams.Restrictions = {}) {
  const { first_time_transaction: first, minimum_amount: amount, minimum_amount_currency: currency } = input
  if (amount !== undefined && !currency)
    throw invalid(
      'You must pass minimum_amount_currency when passing minimum_amount.',
      'restrictions[minimum_amount_currency]',
      'parameter_missing',
    )
  return {
    first_time_transaction: first ?? false,
    minimum_amount: amount ?? null,
    minimum_amount_currency: currency?.toLowerCase() ?? null,
  }
}

route<Stripe.PromotionCodeCreateParams>(
  'POST',
  '/v1/promotion_codes',
  'PromotionCodeCreateParams',
  ({ context, params }) => {
    const coupon = couponOf(context, params)
    const text = params.code ?? randomText(8).toUpperCase()
    assertFree(context, text)
    const code = newObject<PromotionCode>('PromotionCode', 'promo', {
      created: sandboxTime(context),
      code: text,
      customer: params.customer ? customerById(context, params.customer, 'customer').id : null,
      max_redemptions: params.max_redemptions ?? null,
      metadata: {},
      promotion: { type: 'coupon', coupon },
      restrictions: readRestrictions(params.restrictions),
      _switchedOn: true,
    })
    emitEvent(context, 'promotion_code.created', context.store.save(refreshCode(context, code)))
    return code
  },
)

retrieveRoute('promotion_code', refreshCode)

route<Stripe.PromotionCodeListParams>(
  'GET',
  '/v1/promotion_codes',
  'PromotionCodeListParams',
  ({ context, params, path }) => {
    const { active, code } = params
    const rows = context.store
      .all('promotion_code')
      .map(one => refreshCode(context, one))
      .filter(one => isWanted(active, one.active) && (code === undefined || isSame(one.code, code)))
    return paginate(rows, path, params)
  },
)

route<Stripe.PromotionCodeUpdateParams>(
  'POST',
  '/v1/promotion_codes/:id',
  'PromotionCodeUpdateParams',
  ({ context, params, id }) => {
    const code = refreshCode(context, findById(context, 'promotion_code', id))
    const before = snapshot(code)
    if (params.active && !code._switchedOn) assertFree(context, code.code)
    code._switchedOn = params.active ?? code._switchedOn
    saveAndEmit(context, 'promotion_code.updated', refreshCode(context, code), before)
    return code
  },
)
