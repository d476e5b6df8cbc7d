import { isRecord } from '../is-record.ts'
import { ApiError } from './api-error.ts'

const subscription = [
  'add_invoice_items',
  'application_fee_percent',
  'billing_cycle_anchor',
  'billing_schedules',
  'billing_thresholds',
  'days_until_due',
  'default_source',
  'invoice_settings',
  'on_behalf_of',
  'pending_invoice_item_interval',
  'transfer_data',
  'trial_from_plan',
]

const item = ['billing_thresholds', 'current_trial', 'discounts', 'plan', 'price_data', 'tax_rates']
const items = item.map(name => `items.${name}`)

const intent = ['confirmation_token', 'payment_method_data', 'on_behalf_of', 'flow_directions', 'single_use']

const customer = ['business_name', 'cash_balance', 'individual_name', 'source', 'tax', 'validate']
const product = ['marketing_features', 'package_dimensions', 'shippable', 'tax_details']

const previewed = [
  ...[...items, 'items.clear_usage'],
  ...['billing_cycle_anchor', 'billing_mode', 'billing_schedules'],
  ...['cancel_now', 'pause', 'resume_at', 'start_date'],
]

/** Parameters of Stripe that the sandbox refuses, because it would ignore them. */
const unsupported: Record<string, readonly string[]> = {
  SubscriptionCreateParams: [
    ...subscription,
    ...items,
    'backdate_start_date',
    'billing_cycle_anchor_config',
    'customer_account',
  ],
  SubscriptionUpdateParams: [...subscription, ...items, 'items.clear_usage', 'collection_method'],
  SubscriptionListParams: ['current_period_end', 'current_period_start', 'customer_account'],
  SubscriptionResumeParams: ['proration_date'],
  SetupIntentCreateParams: [
    ...intent,
    ...['attach_to_self', 'customer_account', 'excluded_payment_method_types', 'mandate_data'],
    ...['payment_method_configuration', 'payment_method_options'],
  ],
  SetupIntentConfirmParams: [...intent, 'mandate_data', 'payment_method_options'],
  InvoiceFinalizeInvoiceParams: ['auto_advance'],
  InvoiceListParams: ['customer_account', 'due_date'],
  InvoicePayParams: ['forgive', 'mandate', 'source'],
  InvoiceCreatePreviewParams: [
    ...['customer_details.shipping', 'customer_details.tax', 'customer_details.tax_ids', 'customer_account'],
    ...['invoice_items', 'issuer', 'on_behalf_of', 'preview_mode', 'schedule', 'schedule_details'],
    ...previewed.map(name => `subscription_details.${name}`),
  ],
  RefundCreateParams: [
    ...['charge', 'currency', 'customer', 'instructions_email', 'origin'],
    ...['refund_application_fee', 'reverse_transfer'],
  ],
  RefundListParams: ['charge'],
  ChargeListParams: ['transfer_group'],
  CreditNoteCreateParams: ['effective_at', 'lines', 'metadata', 'refunds', 'shipping_cost'],
  CreditNoteListParams: ['customer_account'],
  DisputeListParams: ['created'],
  DisputeUpdateParams: ['intended_submission_method', 'metadata'],
  CouponCreateParams: ['currency_options'],
  CouponUpdateParams: ['currency_options'],
  PromotionCodeCreateParams: ['customer_account', 'restrictions.currency_options'],
  PromotionCodeUpdateParams: ['restrictions'],
  CustomerCreateParams: [...customer, 'tax_id_data'],
  CustomerUpdateParams: [...customer, 'default_source'],
  ProductCreateParams: [...product, 'default_price_data'],
  ProductUpdateParams: product,
  PriceCreateParams: ['currency_options', 'custom_unit_amount', 'transform_quantity'],
  SubscriptionItemUpdateParams: ['billing_thresholds', 'discounts', 'price_data', 'tax_rates', 'plan'],
}

const isSwitchedOff = (value: unknown) =>
  value === null || (typeof value === 'object' && 'enabled' in value && value.enabled === false)

/** The values at a dotted path; lists are searched item by item. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [value]
  const holders = Array.isArray(value) ? value : [value]
  return holders.flatMap(one => (isRecord(one) && one[key] !== undefined ? valuesAt(one[key], rest) : []))
}

export function refuseUnsupported(schema: string, params: Record<string, unknown>) {
  for (const name of unsupported[schema] ?? [])
    if (valuesAt(params, name.split('.')).some(value => !isSwitchedOff(value)))
      throw new ApiError(400, {
        type: 'invalid_request_error',
        code: 'sandbox_unsupported',
        param: name,
        message: `The sandbox does not support ${name}.`,
      })
}
