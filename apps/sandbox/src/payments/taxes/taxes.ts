import type { SandboxContext } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import type { Customer, Invoice, InvoiceLine, Subscription } from '../../objects/billing-objects.ts'
import type { InvoiceTax, TaxAmount, TaxRate } from '../../objects/tax-objects.ts'
import { saveAndEmit, snapshot } from '../events/emit-event.ts'
import { percentOf, sumOf } from '../prices/decimal.ts'
import { countryRate, taxCountry } from './tax-countries.ts'
import { namedTaxRates } from './tax-rates.ts'

type Reason = TaxAmount['taxability_reason']

/** Tax rates of an invoice line. They differ by line, because each price is tax inclusive or exclusive. */
type TaxRule = (line: InvoiceLine) => { rates: TaxRate[]; reason: Reason }

const off = { enabled: false, disabled_reason: null, liability: null, provider: null, status: null }

export function invoiceTax(subscription: Subscription, customer: Customer): InvoiceTax {
  if (!subscription.automatic_tax.enabled) return { ...off }
  const status = taxCountry(customer) ? 'complete' : 'requires_location_inputs'
  return { enabled: true, disabled_reason: null, liability: { type: 'self' }, provider: 'stripe', status }
}

interface TaxParams {
  automatic_tax?: { enabled: boolean } | undefined
  default_tax_rates?: readonly string[] | '' | null | undefined
}

/** Sets a subscription's taxes: automatic, by named rates, or none. */
export function setTax(
  context: SandboxContext,
  subscription: Subscription,
  { automatic_tax: automatic, default_tax_rates: rates }: TaxParams,
  param = 'default_tax_rates',
) {
  if (rates !== undefined) subscription.default_tax_rates = namedTaxRates(context, rates, param)
  if (automatic) {
    const { enabled } = automatic
    subscription.automatic_tax = {
      enabled,
      disabled_reason: null,
      liability: enabled ? { type: 'self' } : null,
    }
  }
  if (subscription.automatic_tax.enabled && (subscription.default_tax_rates ?? []).length > 0)
    throw invalid('You cannot set tax rates while automatic tax is enabled.', param)
}

export function assertLocation(automatic: boolean, customer: Customer) {
  if (automatic && !taxCountry(customer))
    throw invalid(
      "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
      'automatic_tax[enabled]',
      'customer_tax_location_invalid',
    )
}

/** Finalizes an invoice without tax when the customer's country is unknown, and turns automatic tax off. */
export function disableTaxWithoutLocation(context: SandboxContext, invoice: Invoice, customer: Customer) {
  if (!invoice.automatic_tax?.enabled) return
  if (taxCountry(customer)) {
    invoice.automatic_tax.status = 'complete'
    return
  }
  const reason = 'finalization_requires_location_inputs'
  invoice.automatic_tax = { ...off, disabled_reason: reason }
  const subscription = context.store.get('subscription', invoice._subscription ?? '')
  if (!subscription) return
  const before = snapshot(subscription)
  subscription.automatic_tax = {
    enabled: false,
    disabled_reason: 'requires_location_inputs',
    liability: null,
  }
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
}

function taxingOf(context: SandboxContext, invoice: Invoice, customer: Customer): TaxRule {
  const exempt: Reason | undefined =
    customer.tax_exempt === 'exempt'
      ? 'customer_exempt'
      : customer.tax_exempt === 'reverse'
        ? 'reverse_charge'
        : undefined
  const country = invoice.automatic_tax?.enabled ? taxCountry(customer) : undefined
  if (country === undefined)
    return () => ({ rates: invoice.default_tax_rates, reason: exempt ?? 'not_available' })
  return line => {
    const price = context.store.get('price', line.pricing?.price_details.price ?? '')
    const rate = countryRate(context, country, price?.tax_behavior === 'inclusive')
    return { rates: rate ? [rate] : [], reason: exempt ?? 'standard_rated' }
  }
}

const isFree = (reason: Reason) => reason === 'customer_exempt' || reason === 'reverse_charge'

/** Taxes of an amount. Inclusive taxes are subtracted first; the rest is the base of all rates. */
function taxesOn(amount: number, rates: readonly TaxRate[], reason: Reason): TaxAmount[] {
  const inside = rates.filter(one => one.inclusive)
  const whole = sumOf([100, ...inside.map(one => one.percentage)])
  const included = isFree(reason) ? [] : inside.map(one => percentOf(amount, one.percentage, whole))
  const taxable = amount - sumOf(included)
  return rates.map(rate => ({
    amount: isFree(reason)
      ? 0
      : rate.inclusive
        ? (included[inside.indexOf(rate)] ?? 0)
        : percentOf(taxable, rate.percentage),
    tax_behavior: rate.inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: { tax_rate: rate.id },
    taxability_reason: reason,
    taxable_amount: isFree(reason) ? 0 : taxable,
    type: 'tax_rate_details',
  }))
}

const keyOf = (tax: TaxAmount) => `${tax.tax_rate_details?.tax_rate} ${tax.taxability_reason}`

const sumBehaviour = (taxes: readonly TaxAmount[], behaviour: TaxAmount['tax_behavior']) =>
  taxes.reduce((sum, tax) => sum + (tax.tax_behavior === behaviour ? tax.amount : 0), 0)

/** Sets the taxes of each line after discounts, and returns their sums. */
export function applyTaxes(context: SandboxContext, invoice: Invoice, customer: Customer) {
  const taxing = taxingOf(context, invoice, customer)
  const sums = new Map<string, TaxAmount>()
  let insideUndiscounted = 0
  for (const line of invoice.lines.data) {
    const { rates, reason } = taxing(line)
    const discounted = (line.discount_amounts ?? []).reduce((sum, one) => sum + one.amount, 0)
    line.taxes = taxesOn(line.amount - discounted, rates, reason)
    insideUndiscounted += sumBehaviour(taxesOn(line.amount, rates, reason), 'inclusive')
    for (const tax of line.taxes) {
      const sum = sums.get(keyOf(tax))
      sums.set(
        keyOf(tax),
        sum
          ? {
              ...sum,
              amount: sum.amount + tax.amount,
              taxable_amount: sum.taxable_amount + tax.taxable_amount,
            }
          : { ...tax },
      )
    }
  }
  const taxes = [...sums.values()]
  return {
    taxes,
    exclusive: sumBehaviour(taxes, 'exclusive'),
    inclusive: sumBehaviour(taxes, 'inclusive'),
    insideUndiscounted,
  }
}
