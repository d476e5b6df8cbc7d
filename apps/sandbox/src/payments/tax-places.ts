import { isRecord } from '../is-record.ts'
import type { Customer } from '../objects.ts'
import type { TaxRate } from '../tax-objects.ts'
import type { World } from '../world.ts'
import { newTaxRate } from './tax-rates.ts'

/** The standard rates that the sandbox collects, in percent; elsewhere it is registered nowhere and collects nothing. */
const vat: Record<string, number> = {
  ...{ AT: 20, BE: 21, BG: 20, CY: 19, CZ: 21, DE: 19, DK: 25, EE: 24, ES: 21, FI: 25.5, FR: 20, GR: 24 },
  ...{ HR: 25, HU: 27, IE: 23, IT: 22, LT: 21, LU: 17, LV: 21, MT: 18, NL: 21, PL: 23, PT: 23, RO: 21 },
  ...{ SE: 25, SI: 22, SK: 23, GB: 20, CH: 8.1, NO: 25 },
}

/** The country whose tax applies, if the address says enough: an American one needs its postal code. */
export function taxCountry({ address }: Customer): string | undefined {
  if (!isRecord(address) || typeof address.country !== 'string') return undefined
  const country = address.country.toUpperCase()
  if (!/^[A-Z]{2}$/.test(country)) return undefined
  const needsCode = country === 'US' || country === 'CA'
  return needsCode && !address.postal_code ? undefined : country
}

/** The rate of a country, made at its first use, as Stripe makes those of its own tax. */
export function countryRate(world: World, country: string, inclusive: boolean): TaxRate | undefined {
  const percentage = vat[country]
  if (percentage === undefined) return undefined
  const mark = { sandbox: 'automatic_tax' }
  return (
    world.store
      .all('tax_rate')
      .find(
        one =>
          one.metadata?.sandbox === mark.sandbox && one.country === country && one.inclusive === inclusive,
      ) ??
    newTaxRate(world, {
      display_name: 'VAT',
      inclusive,
      percentage,
      active: false,
      country,
      jurisdiction: country,
      tax_type: 'vat',
      metadata: mark,
    })
  )
}
