import type Stripe from 'stripe'
import { newObject, type SandboxContext, sandboxTime } from '../../context.ts'
import { invalid, missing, missingReference } from '../../http/api-error.ts'
import { paginate, registerExpandable } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { Price, Product, Recurring, Tier } from '../../objects/billing-objects.ts'
import { emitEvent, saveAndEmit, snapshot } from '../events/emit-event.ts'
import { assignFields, mergeMetadata } from '../params.ts'

registerExpandable('price.tiers', (context, id) => context.store.get('price', id)?._tiers ?? [])

const decimal = (amount: number | null | undefined) =>
  amount === null || amount === undefined ? null : String(amount)

route<Stripe.ProductCreateParams>('POST', '/v1/products', 'ProductCreateParams', ({ context, params }) => {
  if (params.id && context.store.get('product', params.id))
    throw invalid(`Product already exists: ${params.id}`, 'id', 'resource_already_exists')
  const created = sandboxTime(context)
  const product = newObject<Product>('Product', 'prod', {
    created,
    updated: created,
    active: true,
    metadata: mergeMetadata({}, params.metadata),
  })
  assignFields(product, params, ['id', 'name', 'active'])
  Object.assign(
    product,
    pick(params, ['description', 'images', 'unit_label', 'statement_descriptor', 'tax_code', 'url']),
  )
  context.store.save(product)
  emitEvent(context, 'product.created', product)
  return product
})

function pick<T extends object>(source: T, names: readonly (keyof T & string)[]): Partial<T> {
  const made: Partial<T> = {}
  for (const name of names) if (source[name] !== undefined) made[name] = source[name]
  return made
}

function productById(context: SandboxContext, id: string): Product {
  const product = context.store.get('product', id)
  if (!product) throw missing('product', id)
  return product
}

route('GET', '/v1/products/:id', 'ProductRetrieveParams', ({ context, id }) => productById(context, id))

route<Stripe.ProductListParams>('GET', '/v1/products', 'ProductListParams', ({ context, params, path }) => {
  const { active, ids } = params
  const rows = context.store
    .all('product')
    .filter(one => (active === undefined || one.active === active) && (!ids || ids.includes(one.id)))
  return paginate(rows, path, params)
})

route<Stripe.ProductUpdateParams>(
  'POST',
  '/v1/products/:id',
  'ProductUpdateParams',
  ({ context, params, id }) => {
    const product = productById(context, id)
    const before = snapshot(product)
    assignFields(product, params, ['name', 'active', 'default_price'])
    Object.assign(
      product,
      pick(params, ['description', 'images', 'unit_label', 'statement_descriptor', 'tax_code', 'url']),
    )
    product.metadata = mergeMetadata(product.metadata, params.metadata)
    product.updated = sandboxTime(context)
    saveAndEmit(context, 'product.updated', product, before)
    return product
  },
)

function assertTiers(tiers: readonly Stripe.PriceCreateParams.Tier[]) {
  let before = 0
  for (const [index, tier] of tiers.entries()) {
    const last = index === tiers.length - 1
    const { up_to: upTo, unit_amount: unit, unit_amount_decimal: unitDecimal } = tier
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
    const amounts = [unit, unitDecimal, tier.flat_amount, tier.flat_amount_decimal]
    if (amounts.every(one => one === undefined))
      throw invalid(
        'A tier needs a unit_amount or a flat_amount.',
        `tiers[${index}][unit_amount]`,
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
    unit_amount: tier.unit_amount ?? null,
    unit_amount_decimal: tier.unit_amount_decimal?.toString() ?? decimal(tier.unit_amount),
    flat_amount: tier.flat_amount ?? null,
    flat_amount_decimal: tier.flat_amount_decimal?.toString() ?? decimal(tier.flat_amount),
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
    interval_count: input.interval_count ?? 1,
    usage_type: usage,
    meter: input.meter ?? null,
    trial_period_days: input.trial_period_days ?? null,
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

function productOf(context: SandboxContext, params: Stripe.PriceCreateParams): string {
  if (params.product) {
    if (!context.store.get('product', params.product))
      throw missingReference('product', params.product, 'product')
    return params.product
  }
  if (!params.product_data)
    throw invalid('You must specify either product or product_data.', 'product', 'parameter_missing')
  const created = sandboxTime(context)
  const product = newObject<Product>('Product', 'prod', {
    created,
    updated: created,
    active: true,
    name: params.product_data.name,
    metadata: {},
  })
  if (params.product_data.id) product.id = params.product_data.id
  emitEvent(context, 'product.created', context.store.save(product))
  return product.id
}

route<Stripe.PriceCreateParams>('POST', '/v1/prices', 'PriceCreateParams', ({ context, params }) => {
  const tiers = readTiers(params)
  const recurring = readRecurring(context, params.recurring)
  // Text, because a number cannot hold twelve decimals.
  const amount = params.unit_amount_decimal?.toString() ?? decimal(params.unit_amount)
  if (tiers.length === 0 && amount === null)
    throw invalid(
      'One of unit_amount, unit_amount_decimal or tiers is needed.',
      'unit_amount',
      'parameter_missing',
    )
  if (params.lookup_key) claimLookupKey(context, params.lookup_key, params.transfer_lookup_key ?? false)
  const price = newObject<Price>('Price', 'price', {
    created: sandboxTime(context),
    active: params.active ?? true,
    billing_scheme: tiers.length > 0 ? 'tiered' : 'per_unit',
    currency: params.currency.toLowerCase(),
    lookup_key: params.lookup_key ?? null,
    nickname: params.nickname ?? null,
    metadata: mergeMetadata({}, params.metadata),
    product: productOf(context, params),
    recurring,
    tax_behavior: 'unspecified',
    tiers_mode: params.tiers_mode === 'volume' ? 'volume' : tiers.length > 0 ? 'graduated' : null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: amount !== null && Number.isInteger(Number(amount)) ? Number(amount) : null,
    unit_amount_decimal: amount,
    _tiers: tiers,
  })
  assignFields(price, params, ['tax_behavior'])
  emitEvent(context, 'price.created', context.store.save(price))
  return price
})

route('GET', '/v1/prices/:id', 'PriceRetrieveParams', ({ context, id }) => {
  const price = context.store.get('price', id)
  if (!price) throw missing('price', id)
  return price
})

route<Stripe.PriceListParams>('GET', '/v1/prices', 'PriceListParams', ({ context, params, path }) => {
  const { active, product, lookup_keys: keys, type, currency, recurring } = params
  const rows = context.store
    .all('price')
    .filter(
      one =>
        (active === undefined || one.active === active) &&
        (!product || one.product === product) &&
        (!keys || keys.includes(one.lookup_key ?? '')) &&
        (!type || one.type === type) &&
        (!currency || one.currency === currency) &&
        (!recurring?.interval || one.recurring?.interval === recurring.interval),
    )
  return paginate(rows, path, params)
})
