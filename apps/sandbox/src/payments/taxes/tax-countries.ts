import type { SandboxContext } from '../../context.ts'
import { isRecord } from '../../is-record.ts'
import type { Customer } from '../../objects/billing-objects.ts'
import type { TaxRate } from '../../objects/tax-objects.ts'
import { newTaxRate } from './tax-rates.ts'

/** VAT rates in percent. No tax is collected in other countries. */
const vat: Record<string, number> = {
  ...{ AT: 20, BE: 21, BG: 20, CY: 19, CZ: 21, DE: 19, DK: 25, EE: 24, ES: 21, FI: 25.5, FR: 20, GR: 24 },
  ...{ HR: 25, HU: 27, IE: 23, IT: 22, LT: 21, LU: 17, LV: 21, MT: 18, NL: 21, PL: 23, PT: 23, RO: 21 },
  ...{ SE: 25, SI: 22, SK: 23, GB: 20, CH: 8.1, NO: 25 },
}

/** The country whose tax applies. Addresses in the US and Canada need a postal code. */
export function taxCountry({ address }: Customer): string | undefined {
  if (!isRecord(address) || typeof address.country !== 'string') return undefined
  const country = address.country.toUpperCase()
  if (!/^[A-Z]{2}$/.test(country)) return undefined
  const needsCode = country === 'US' || country === 'CA'
  return needsCode && !address.postal_code ? undefined : country
}

/** The tax rate of a country, created at its first use. */
export function countryRate(
  context: SandboxContext,
  country: string,
  inclusive: boolean,
): TaxRate | undefined {
  const percentage = vat[country]
  if (percentage === undefined) return undefined
  const mark = { sandbox: 'automatic_tax' }
  return (
    context.store
      .all('tax_rate')
      .find(
        one =>
          one.metadata?.sandbox === mark.sandbox && one.country === country && one.inclusive === inclusive,
      ) ??
    newTaxRate(context, {
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
