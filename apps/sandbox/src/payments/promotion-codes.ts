import type Stripe from 'stripe'
import type { PromotionCode } from '../discount-objects.ts'
import { invalid, missing, missingReference } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import { randomText } from '../ids.ts'
import { make, type World, wallTime } from '../world.ts'
import { refreshCode } from './discounts.ts'
import { emit, saveChanged, snapshot } from './events.ts'
import { customerById } from './find.ts'
import { mergeMetadata } from './params.ts'

function codeById(world: World, id: string): PromotionCode {
  const code = world.store.get('promotion_code', id)
  if (!code) throw missing('promotion code', id)
  return refreshCode(world, code, wallTime(world))
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** People type codes as they like: they differ by more than case, as far as they are active. */
function assertFree(world: World, text: string, at: number) {
  if (!/^[\w-]{1,500}$/.test(text) || text.includes('_'))
    throw invalid('A code may hold the letters a-z and A-Z, the digits 0-9 and dashes.', 'code')
  const twin = world.store
    .all('promotion_code')
    .some(one => isSame(one.code, text) && refreshCode(world, one, at).active)
  if (twin) throw invalid(`An active promotion code with \`code: ${text}\` already exists.`, 'code')
}

function couponOf(world: World, { promotion }: Stripe.PromotionCodeCreateParams): string {
  if (!promotion.coupon)
    throw invalid('Missing required param: promotion[coupon].', 'promotion[coupon]', 'parameter_missing')
  if (!world.store.get('coupon', promotion.coupon))
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
  ({ world, params }) => {
    const created = wallTime(world)
    const coupon = couponOf(world, params)
    const text = params.code ?? randomText(8).toUpperCase()
    assertFree(world, text, created)
    if (params.expires_at !== undefined && params.expires_at <= created)
      throw invalid('expires_at must be in the future.', 'expires_at')
    const code = make<PromotionCode>('PromotionCode', 'promo', {
      created,
      code: text,
      customer: params.customer ? customerById(world, params.customer, 'customer').id : null,
      expires_at: params.expires_at ?? null,
      max_redemptions: params.max_redemptions ?? null,
      metadata: mergeMetadata({}, params.metadata),
      promotion: { type: 'coupon', coupon },
      restrictions: readRestrictions(params.restrictions),
      times_redeemed: 0,
      _switchedOn: params.active ?? true,
    })
    emit(world, 'promotion_code.created', world.store.save(refreshCode(world, code, created)))
    return code
  },
)

route('GET', '/v1/promotion_codes/:id', 'PromotionCodeRetrieveParams', ({ world, id }) => codeById(world, id))

route<Stripe.PromotionCodeListParams>(
  'GET',
  '/v1/promotion_codes',
  'PromotionCodeListParams',
  ({ world, params, path }) => {
    const { active, code, coupon, customer } = params
    const at = wallTime(world)
    const rows = world.store
      .all('promotion_code')
      .map(one => refreshCode(world, one, at))
      .filter(
        one =>
          (active === undefined || one.active === active) &&
          (code === undefined || isSame(one.code, code)) &&
          (!coupon || one.promotion.coupon === coupon) &&
          (!customer || one.customer === customer),
      )
    return page(rows, path, params)
  },
)

route<Stripe.PromotionCodeUpdateParams>(
  'POST',
  '/v1/promotion_codes/:id',
  'PromotionCodeUpdateParams',
  ({ world, params, id }) => {
    const code = codeById(world, id)
    const before = snapshot(code)
    const at = wallTime(world)
    if (params.active && !code._switchedOn) assertFree(world, code.code, at)
    code._switchedOn = params.active ?? code._switchedOn
    code.metadata = mergeMetadata(code.metadata, params.metadata)
    saveChanged(world, 'promotion_code.updated', refreshCode(world, code, at), before)
    return code
  },
)
