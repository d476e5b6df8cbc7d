import { ApiError } from './api-error.ts'

const subscription = [
  'add_invoice_items',
  'application_fee_percent',
  'automatic_tax',
  'billing_cycle_anchor',
  'billing_schedules',
  'billing_thresholds',
  'days_until_due',
  'default_source',
  'default_tax_rates',
  'discounts',
  'invoice_settings',
  'on_behalf_of',
  'pending_invoice_item_interval',
  'transfer_data',
  'trial_from_plan',
]

const intent = ['confirmation_token', 'payment_method_data', 'on_behalf_of', 'flow_directions', 'single_use']

/** What Stripe would act on and the sandbox would not: better refused than nodded at. */
const unsupported: Record<string, readonly string[]> = {
  SubscriptionCreateParams: [
    ...subscription,
    'backdate_start_date',
    'billing_cycle_anchor_config',
    'customer_account',
  ],
  SubscriptionUpdateParams: [...subscription, 'pause_collection'],
  SetupIntentCreateParams: intent,
  SetupIntentConfirmParams: intent,
  PaymentIntentConfirmParams: [...intent, 'amount_to_confirm', 'shipping'],
  InvoicePayParams: ['forgive', 'mandate', 'source'],
  InvoiceCreatePreviewParams: ['discounts', 'invoice_items', 'schedule', 'schedule_details', 'automatic_tax'],
  CustomerCreateParams: ['source', 'tax_id_data', 'cash_balance', 'tax'],
  CustomerUpdateParams: ['source', 'default_source', 'cash_balance', 'tax'],
  ProductCreateParams: ['default_price_data', 'marketing_features', 'package_dimensions'],
  PriceCreateParams: ['currency_options', 'custom_unit_amount', 'transform_quantity'],
  SubscriptionItemUpdateParams: ['billing_thresholds', 'discounts', 'price_data', 'tax_rates', 'plan'],
}

const isSwitchedOff = (value: unknown) =>
  value === null || (typeof value === 'object' && 'enabled' in value && value.enabled === false)

export function refuseUnsupported(schema: string, params: Record<string, unknown>) {
  for (const name of unsupported[schema] ?? [])
    if (params[name] !== undefined && !isSwitchedOff(params[name]))
      throw new ApiError(400, {
        type: 'invalid_request_error',
        code: 'sandbox_unsupported',
        param: name,
        message: `Stripe knows ${name}, but the sandbox does not act on it.`,
      })
}
