import { isRecord } from '../is-record.ts'
import { ApiError } from './api-error.ts'

/**
 * The supported parameters of each request. Stripe's others are refused, because the sandbox would ignore them. A name
 * includes all that is below it; `name=value` allows this value only.
 */
const supported: Record<string, string> = {
  ChargeListParams: 'created.gte customer payment_intent',
  CouponCreateParams:
    'amount_off applies_to currency duration duration_in_months id max_redemptions name percent_off',
  CreditNoteCreateParams: 'amount credit_amount invoice memo out_of_band_amount reason refund_amount',
  CreditNoteListParams: 'invoice',
  CustomerCreateParams:
    'balance email invoice_settings.default_payment_method metadata name payment_method test_clock',
  CustomerListParams: 'email',
  CustomerListPaymentMethodsParams: 'type',
  CustomerUpdateParams: 'balance email invoice_settings.default_payment_method metadata name',
  DisputeListParams: 'payment_intent',
  DisputeUpdateParams: 'evidence.uncategorized_text',
  EventListParams: 'type',
  InvoiceCreatePreviewParams: `customer customer_details.tax_exempt discounts subscription
    subscription_details.cancel_at_period_end subscription_details.items.deleted
    subscription_details.items.id subscription_details.items.price subscription_details.items.quantity
    subscription_details.proration_behavior subscription_details.proration_date
    subscription_details.trial_end=now`,
  InvoiceListParams: 'customer status subscription',
  InvoicePayParams: 'off_session paid_out_of_band payment_method',
  InvoicePaymentListParams: 'invoice',
  MeterCreateParams: `customer_mapping.event_payload_key=stripe_customer_id customer_mapping.type
    default_aggregation.formula=sum display_name event_name value_settings.event_payload_key=value`,
  MeterEventCreateParams: 'event_name identifier payload timestamp',
  MeterListEventSummariesParams: 'customer end_time start_time',
  MeterListParams: 'status',
  PaymentIntentListParams: 'customer',
  PaymentMethodAttachParams: 'customer',
  PaymentMethodCreateParams: 'card type',
  PaymentMethodListParams: 'customer type',
  PriceCreateParams: `billing_scheme currency lookup_key metadata product recurring.interval
    recurring.meter recurring.usage_type tiers.unit_amount_decimal tiers.up_to tiers_mode=graduated
    transfer_lookup_key unit_amount`,
  PriceListParams: 'active lookup_keys',
  ProductCreateParams: 'id name',
  ProductUpdateParams: 'active',
  PromotionCodeCreateParams: `code customer max_redemptions promotion restrictions.first_time_transaction
    restrictions.minimum_amount restrictions.minimum_amount_currency`,
  PromotionCodeListParams: 'active code',
  PromotionCodeUpdateParams: 'active',
  RefundCreateParams: 'amount metadata payment_intent reason',
  RefundListParams: 'payment_intent',
  SetupIntentCreateParams:
    'automatic_payment_methods confirm customer metadata payment_method usage=off_session',
  SubscriptionCancelParams: 'invoice_now prorate=false',
  SubscriptionCreateParams: `customer default_payment_method discounts items.metadata items.price
    items.quantity metadata off_session payment_behavior=allow_incomplete
    payment_settings.save_default_payment_method trial_period_days
    trial_settings.end_behavior.missing_payment_method=cancel
    trial_settings.end_behavior.missing_payment_method=create_invoice`,
  SubscriptionItemUpdateParams: 'proration_behavior quantity',
  SubscriptionListParams: 'customer status',
  SubscriptionUpdateParams: `cancel_at cancel_at_period_end default_payment_method discounts items.deleted
    items.id items.metadata items.price items.quantity metadata off_session pause_collection
    payment_behavior=allow_incomplete payment_behavior=pending_if_incomplete proration_behavior
    proration_date trial_end=now`,
  TestClockAdvanceParams: 'frozen_time',
  TestClockCreateParams: 'customer frozen_time',
  WebhookEndpointCreateParams: 'api_version enabled_events url',
  WebhookEndpointUpdateParams: 'disabled enabled_events',
}

const everywhere = ['ending_before', 'expand', 'limit', 'starting_after']

const isSwitchedOff = (value: unknown) => value === null || (isRecord(value) && value.enabled === false)

/** The path of the first value that is not supported; lists are searched item by item. */
function findUnsupported(names: readonly string[], value: unknown, path: string): string | undefined {
  if (names.includes(path) || isSwitchedOff(value)) return undefined
  if (Array.isArray(value))
    return value.map(one => findUnsupported(names, one, path)).find(found => found !== undefined)
  if (!isRecord(value)) return names.includes(`${path}=${value}`) ? undefined : path
  if (path !== '' && !names.some(name => name.startsWith(`${path}.`))) return path
  return Object.entries(value)
    .map(([key, field]) => findUnsupported(names, field, path === '' ? key : `${path}.${key}`))
    .find(found => found !== undefined)
}

export function refuseUnsupported(schema: string, params: Record<string, unknown>) {
  const names = [...everywhere, ...(supported[schema] ?? '').split(/\s+/)]
  const name = findUnsupported(names, params, '')
  if (name !== undefined)
    throw new ApiError(400, {
      type: 'invalid_request_error',
      code: 'sandbox_unsupported',
      param: name,
      message: `The sandbox does not support ${name}.`,
    })
}
