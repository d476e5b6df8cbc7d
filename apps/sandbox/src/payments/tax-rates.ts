import type Stripe from 'stripe'
import { invalid, missing, missingReference } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import type { TaxRate } from '../tax-objects.ts'
import { make, type World, wallTime } from '../world.ts'
import { emit, saveChanged, snapshot } from './events.ts'
import { assign, mergeMetadata } from './params.ts'

type Fields = Pick<
  Stripe.TaxRateCreateParams,
  'country' | 'description' | 'jurisdiction' | 'state' | 'tax_type'
>

/** The fields that nothing is computed from. */
function describe(rate: TaxRate, { country, description, jurisdiction, state, tax_type }: Fields) {
  const given = Object.entries({ country, description, jurisdiction, state, tax_type })
  Object.assign(rate, Object.fromEntries(given.filter(([, value]) => value !== undefined)))
}

export function newTaxRate(world: World, params: Stripe.TaxRateCreateParams): TaxRate {
  const rate = make<TaxRate>('TaxRate', 'txr', {
    created: wallTime(world),
    active: params.active ?? true,
    display_name: params.display_name,
    inclusive: params.inclusive,
    percentage: params.percentage,
    metadata: mergeMetadata({}, params.metadata),
  })
  Object.assign(rate, { effective_percentage: params.percentage, rate_type: 'percentage' })
  describe(rate, params)
  return world.store.save(rate)
}

function taxRateById(world: World, id: string): TaxRate {
  const rate = world.store.get('tax_rate', id)
  if (!rate) throw missing('tax rate', id)
  return rate
}

/** The rates that a request names, copied: a subscription keeps them as they were. */
export function namedTaxRates(world: World, ids: readonly string[] | '' | null, param: string): TaxRate[] {
  return (ids || []).map((id, index) => {
    const rate = world.store.get('tax_rate', id)
    if (!rate) throw missingReference('tax rate', id, `${param}[${index}]`)
    if (!rate.active)
      throw invalid(`The tax rate ${id} is archived and cannot be used.`, `${param}[${index}]`)
    return structuredClone(rate)
  })
}

route<Stripe.TaxRateCreateParams>('POST', '/v1/tax_rates', 'TaxRateCreateParams', ({ world, params }) => {
  if (params.percentage < 0 || params.percentage > 100)
    throw invalid('Invalid percentage: must be between 0 and 100.', 'percentage')
  const rate = newTaxRate(world, params)
  emit(world, 'tax_rate.created', rate)
  return rate
})

route('GET', '/v1/tax_rates/:id', 'TaxRateRetrieveParams', ({ world, id }) => taxRateById(world, id))

route<Stripe.TaxRateListParams>('GET', '/v1/tax_rates', 'TaxRateListParams', ({ world, params, path }) => {
  const { active, inclusive } = params
  const rows = world.store
    .all('tax_rate')
    .filter(
      one =>
        (active === undefined || one.active === active) &&
        (inclusive === undefined || one.inclusive === inclusive),
    )
  return page(rows, path, params)
})

route<Stripe.TaxRateUpdateParams>(
  'POST',
  '/v1/tax_rates/:id',
  'TaxRateUpdateParams',
  ({ world, params, id }) => {
    const rate = taxRateById(world, id)
    const before = snapshot(rate)
    assign(rate, params, ['active', 'display_name'])
    describe(rate, params)
    rate.metadata = mergeMetadata(rate.metadata, params.metadata)
    saveChanged(world, 'tax_rate.updated', rate, before)
    return rate
  },
)
