import type Stripe from 'stripe'
import { newObject, type SandboxContext, sandboxTime } from '../../context.ts'
import { invalid, missing, missingReference } from '../../http/api-error.ts'
import { paginate } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { TaxRate } from '../../objects/tax-objects.ts'
import { emitEvent, saveAndEmit, snapshot } from '../events/emit-event.ts'
import { assignFields, mergeMetadata } from '../params.ts'

type Fields = Pick<
  Stripe.TaxRateCreateParams,
  'country' | 'description' | 'jurisdiction' | 'state' | 'tax_type'
>

/** Sets the fields that do not affect amounts. */
function setDescriptiveFields(
  rate: TaxRate,
  { country, description, jurisdiction, state, tax_type }: Fields,
) {
  const given = Object.entries({ country, description, jurisdiction, state, tax_type })
  Object.assign(rate, Object.fromEntries(given.filter(([, value]) => value !== undefined)))
}

export function newTaxRate(context: SandboxContext, params: Stripe.TaxRateCreateParams): TaxRate {
  const rate = newObject<TaxRate>('TaxRate', 'txr', {
    created: sandboxTime(context),
    active: params.active ?? true,
    display_name: params.display_name,
    inclusive: params.inclusive,
    percentage: params.percentage,
    metadata: mergeMetadata({}, params.metadata),
  })
  Object.assign(rate, { effective_percentage: params.percentage, rate_type: 'percentage' })
  setDescriptiveFields(rate, params)
  return context.store.save(rate)
}

function taxRateById(context: SandboxContext, id: string): TaxRate {
  const rate = context.store.get('tax_rate', id)
  if (!rate) throw missing('tax rate', id)
  return rate
}

/** Copies of the named tax rates: later changes of a rate do not apply to a subscription. */
export function namedTaxRates(
  context: SandboxContext,
  ids: readonly string[] | '' | null,
  param: string,
): TaxRate[] {
  return (ids || []).map((id, index) => {
    const rate = context.store.get('tax_rate', id)
    if (!rate) throw missingReference('tax rate', id, `${param}[${index}]`)
    if (!rate.active)
      throw invalid(`The tax rate ${id} is archived and cannot be used.`, `${param}[${index}]`)
    return structuredClone(rate)
  })
}

route<Stripe.TaxRateCreateParams>('POST', '/v1/tax_rates', 'TaxRateCreateParams', ({ context, params }) => {
  if (params.percentage < 0 || params.percentage > 100)
    throw invalid('Invalid percentage: must be between 0 and 100.', 'percentage')
  const rate = newTaxRate(context, params)
  emitEvent(context, 'tax_rate.created', rate)
  return rate
})

route('GET', '/v1/tax_rates/:id', 'TaxRateRetrieveParams', ({ context, id }) => taxRateById(context, id))

route<Stripe.TaxRateListParams>('GET', '/v1/tax_rates', 'TaxRateListParams', ({ context, params, path }) => {
  const { active, inclusive } = params
  const rows = context.store
    .all('tax_rate')
    .filter(
      one =>
        (active === undefined || one.active === active) &&
        (inclusive === undefined || one.inclusive === inclusive),
    )
  return paginate(rows, path, params)
})

route<Stripe.TaxRateUpdateParams>(
  'POST',
  '/v1/tax_rates/:id',
  'TaxRateUpdateParams',
  ({ context, params, id }) => {
    const rate = taxRateById(context, id)
    const before = snapshot(rate)
    assignFields(rate, params, ['active', 'display_name'])
    setDescriptiveFields(rate, params)
    rate.metadata = mergeMetadata(rate.metadata, params.metadata)
    saveAndEmit(context, 'tax_rate.updated', rate, before)
    return rate
  },
)
