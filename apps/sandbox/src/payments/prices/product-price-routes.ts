import type Stripe from 'stripe'
import { newObject, type SandboxContext, sandboxTime } from '../../context.ts'
import { invalid, missingReference } from '../../http/api-error.ts'
import { findById, isWanted, listRoute, retrieveRoute } from '../../http/object-routes.ts'
import { registerExpandable } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { Price, Recurring, Tier } from '../../objects/billing-objects.ts'
import type { Product } from '../../objects/stored-objects.ts'
import { emitEvent, saveAndEmit, snapshot } from '../events/emit-event.ts'
import { assignFields, mergeMetadata } from '../params.ts'

registerExpandable('price.tiers', (context, id) => context.store.get('price', id)?._tiers ?? [])

route<Stripe.ProductCreateParams>('POST', '/v1/products', 'ProductCreateParams', ({ context, params }) => {
  if (params.id && context.store.get('product', params.id))
    throw invalid(`Product already exists: ${params.id}`, 'id', 'resource_already_exists')
  const created = sandboxTime(context)
  const product = newObject<Product>('Product', 'prod', {
    created,
    updated: created,
    active: true,
    metadata: {},
  })
  assignFields(product, params, ['id', 'name'])
  context.store.save(product)
  emitEvent(context, 'product.created', product)
  return product
})

listRoute('product', () => true)
retrieveRoute('product')

route<Stripe.ProductUpdateParams>(
  'POST',
  '/v1/products/:id',
  'ProductUpdateParams',
  ({ context, params, id }) => {
    const product = findById(context, 'product', id)
    const before = snapshot(product)
    assignFields(product, params, ['active'])
    product.updated = sandboxTime(context)
    saveAndEmit(context, 'product.updated', product, before)
    return product
  },
)

function assertTiers(tiers: readonly Stripe.PriceCreateParams.Tier[]) {
  let before = 0
  for (const [index, { up_to: upTo, unit_amount_decimal: unit }] of tiers.entries()) {
    const last = index === tiers.length - 1
    if (last !== (upTo === 'inf'))
      throw invalid(
        "The last tier, and only the last, must have up_to set to 'inf'.",
        `tiers[${index}][up_to]`,
      )
    if (typeof upTo === 'number' && (!Number.isInteger(upTo) || upTo <= before))
      throw invalid(
        'up_to must be an integer greater than that of the tier before.',
        `tiers[${index}][up_to]`,
      )
    if (unit === undefined)
      throw invalid(
        'A tier needs a unit_amount_decimal.',
        `tiers[${index}][unit_amount_decimal]`,
        'parameter_missing',
      )
    before = typeof upTo === 'number' ? upTo : before
  }
}

function readTiers(params: Stripe.PriceCreateParams): Tier[] {
  const tiers = params.tiers ?? []
  if (params.billing_scheme !== 'tiered') {
    if (tiers.length > 0) throw invalid('tiers can only be given when billing_scheme=tiered.', 'tiers')
    return []
  }
  if (tiers.length === 0 || !params.tiers_mode)
    throw invalid(
      'A tiered price needs tiers and a tiers_mode.',
      tiers.length === 0 ? 'tiers' : 'tiers_mode',
      'parameter_missing',
    )
  assertTiers(tiers)
  return tiers.map(tier => ({
    up_to: tier.up_to === 'inf' ? null : tier.up_to,
    unit_amount: null,
    unit_amount_decimal: String(tier.unit_amount_decimal),
    flat_amount: null,
    flat_amount_decimal: null,
  }))
}

function readRecurring(
  context: SandboxContext,
  input: Stripe.PriceCreateParams['recurring'],
): Recurring | null {
  if (!input) return null
  const usage = input.usage_type === 'metered' ? 'metered' : 'licensed'
  if (input.meter && !context.store.get('billing.meter', input.meter))
    throw missingReference('billing meter', input.meter, 'recurring[meter]')
  if (usage === 'metered' && !input.meter)
    throw invalid('A metered price must be backed by a meter.', 'recurring[meter]', 'parameter_missing')
  return {
    // as: the request's schema allows these four only
    interval: input.interval as Recurring['interval'],
    interval_count: 1,
    usage_type: usage,
    meter: input.meter ?? null,
    trial_period_days: null,
  }
}

function claimLookupKey(context: SandboxContext, key: string, transfer: boolean) {
  const holder = context.store.all('price').find(price => price.lookup_key === key)
  if (!holder) return
  if (!transfer)
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key.`,
      'lookup_key',
      'resource_already_exists',
    )
  const before = snapshot(holder)
  holder.lookup_key = null
  saveAndEmit(context, 'price.updated', holder, before)
}

route<Stripe.PriceCreateParams>('POST', '/v1/prices', 'PriceCreateParams', ({ context, params }) => {
  const { product, unit_amount: amount = null, lookup_key: key } = params
  const tiers = readTiers(params)
  const recurring = readRecurring(context, params.recurring)
  if (tiers.length === 0 && amount === null)
    throw invalid('One of unit_amount or tiers is needed.', 'unit_amount', 'parameter_missing')
  if (!product) throw invalid('You must specify product.', 'product', 'parameter_missing')
  if (!context.store.get('product', product)) throw missingReference('product', product, 'product')
  if (key) claimLookupKey(context, key, params.transfer_lookup_key ?? false)
  const price = newObject<Price>('Price', 'price', {
    created: sandboxTime(context),
    active: true,
    billing_scheme: tiers.length > 0 ? 'tiered' : 'per_unit',
    currency: params.currency.toLowerCase(),
    lookup_key: key ?? null,
    metadata: mergeMetadata({}, params.metadata),
    product,
    recurring,
    tiers_mode: tiers.length > 0 ? 'graduated' : null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: amount,
    unit_amount_decimal: amount === null ? null : String(amount),
    _tiers: tiers,
  })
  emitEvent(context, 'price.created', context.store.save(price))
  return price
})

retrieveRoute('price')

listRoute(
  'price',
  (one, { active, lookup_keys: keys }: Stripe.PriceListParams) =>
    isWanted(active, one.active) && (!keys || keys.includes(one.lookup_key ?? '')),
)
