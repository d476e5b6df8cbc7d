import type { Base } from './base.ts'

export interface TaxRate extends Base {
  object: 'tax_rate'
  active: boolean
  country: string | null
  display_name: string
  inclusive: boolean
  percentage: number
}

/** One tax of a line or an invoice, in minor units. */
export interface TaxAmount {
  amount: number
  tax_behavior: 'exclusive' | 'inclusive'
  tax_rate_details: { tax_rate: string } | null
  taxability_reason:
    | 'customer_exempt'
    | 'not_available'
    | 'not_collecting'
    | 'reverse_charge'
    | 'standard_rated'
  taxable_amount: number
  type: 'tax_rate_details'
}

export interface SubscriptionTax {
  disabled_reason: 'requires_location_inputs' | null
  enabled: boolean
  liability: { type: 'self' } | null
}

export interface InvoiceTax {
  disabled_reason: 'finalization_requires_location_inputs' | null
  enabled: boolean
  liability: { type: 'self' } | null
  provider: string | null
  status: 'complete' | 'requires_location_inputs' | null
}
