import type { Base } from './base.ts'
import type { Discount, DiscountAmount } from './discount-objects.ts'

export type Interval = 'day' | 'week' | 'month' | 'year'

export interface Tier {
  up_to: number | null
  unit_amount: null
  unit_amount_decimal: string
  flat_amount: null
  flat_amount_decimal: null
}

export interface Recurring {
  interval: Interval
  interval_count: number
  usage_type: 'licensed' | 'metered'
  meter: string | null
  trial_period_days: number | null
}

export interface Price extends Base {
  object: 'price'
  active: boolean
  billing_scheme: 'per_unit' | 'tiered'
  currency: string
  lookup_key: string | null
  nickname: string | null
  product: string
  recurring: Recurring | null
  tiers_mode: 'graduated' | null
  type: 'one_time' | 'recurring'
  unit_amount: number | null
  unit_amount_decimal: string | null
  _tiers: Tier[]
}

export interface Customer extends Base {
  object: 'customer'
  balance: number
  currency: string | null
  delinquent: boolean
  email: string | null
  name: string | null
  address: unknown
  invoice_prefix: string | null
  next_invoice_sequence: number
  invoice_settings: { default_payment_method: string | null }
  test_clock: string | null
  deleted?: true
}

export interface PaymentMethod extends Base {
  object: 'payment_method'
  customer: string | null
  type: 'card'
  card: { brand: string; last4: string; exp_month: number; exp_year: number }
  _number: string
  /** 3D Secure was completed once, so later payments do not need the customer. */
  _setUp: boolean
}

export interface PaymentError {
  type: string
  code?: string
  decline_code?: string
  message: string
  payment_method?: unknown
}

export interface NextAction {
  type: 'use_stripe_sdk'
  use_stripe_sdk: { type: 'three_d_secure_redirect'; stripe_js: string }
}

type IntentStatus =
  | 'canceled'
  | 'requires_action'
  | 'requires_confirmation'
  | 'requires_payment_method'
  | 'succeeded'

export interface SetupIntent extends Base {
  object: 'setup_intent'
  client_secret: string
  customer: string | null
  last_setup_error: PaymentError | null
  next_action: NextAction | null
  payment_method: string | null
  status: IntentStatus
  cancellation_reason: string | null
  usage: string
}

export interface PaymentIntent extends Base {
  object: 'payment_intent'
  amount: number
  amount_received: number
  client_secret: string
  currency: string
  customer: string | null
  last_payment_error: PaymentError | null
  next_action: NextAction | null
  latest_charge: string | null
  payment_method: string | null
  setup_future_usage: 'off_session' | 'on_session' | null
  status: IntentStatus
  canceled_at: number | null
  cancellation_reason: string | null
  description: string | null
  _invoice: string | null
}

export type Intent = PaymentIntent | SetupIntent

export interface SubscriptionItem extends Base {
  object: 'subscription_item'
  current_period_start: number
  current_period_end: number
  price: Price
  plan: unknown
  quantity?: number
  subscription: string
}

export interface List<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  url: string
}

type SubscriptionStatus =
  | 'active'
  | 'canceled'
  | 'incomplete'
  | 'incomplete_expired'
  | 'past_due'
  | 'trialing'
  | 'unpaid'

interface PendingUpdate {
  billing_cycle_anchor: number | null
  discounts: string[] | null
  expires_at: number
  subscription_items: SubscriptionItem[] | null
  trial_end: number | null
}

export interface Subscription extends Base {
  object: 'subscription'
  billing_cycle_anchor: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  cancellation_details: { reason: string | null } | null
  collection_method: 'charge_automatically' | 'send_invoice'
  currency: string
  customer: string
  default_payment_method: string | null
  discounts: string[]
  ended_at: number | null
  items: List<SubscriptionItem>
  latest_invoice: string | null
  payment_settings: {
    save_default_payment_method: 'off' | 'on_subscription' | null
  } | null
  pause_collection: {
    /** keep_as_draft, mark_uncollectible or void. */
    behavior: string
    resumes_at: number | null
  } | null
  pending_setup_intent: string | null
  pending_update: PendingUpdate | null
  start_date: number
  status: SubscriptionStatus
  test_clock: string | null
  trial_start: number | null
  trial_end: number | null
  trial_settings: { end_behavior: { missing_payment_method: 'cancel' | 'create_invoice' | 'pause' } } | null
  _trialNoticeSent: boolean
  _pendingLines: InvoiceLine[]
  /** The objects of `discounts`; a preview can replace them. */
  _discounts?: Discount[]
  /** The objects of `pending_update.discounts`: redeemed when the change is paid. */
  _pendingDiscounts?: Discount[] | undefined
}

export interface InvoiceLine extends Base {
  object: 'line_item'
  amount: number
  currency: string
  description: string | null
  discount_amounts: DiscountAmount[] | null
  discountable: boolean
  invoice: string | null
  parent: { subscription_item_details: { subscription_item: string; proration: boolean } } | null
  period: { start: number; end: number }
  pricing: { price_details: { price: string; product: string } } | null
  quantity: number | null
  subscription: string | null
  subtotal: number
}

export interface Invoice extends Base {
  object: 'invoice'
  amount_due: number
  amount_paid: number
  amount_paid_off_stripe?: number
  amount_remaining: number
  attempt_count: number
  attempted: boolean
  auto_advance?: boolean
  automatically_finalizes_at: number | null
  billing_reason: string | null
  collection_method: 'charge_automatically' | 'send_invoice'
  currency: string
  customer: string
  customer_email: string | null
  customer_name: string | null
  default_payment_method: string | null
  discounts: string[]
  effective_at: number | null
  ending_balance: number | null
  hosted_invoice_url?: string | null
  invoice_pdf?: string | null
  lines: List<InvoiceLine>
  next_payment_attempt: number | null
  number: string | null
  parent: { subscription_details: { subscription: string } | null } | null
  period_start: number
  period_end: number
  post_payment_credit_notes_amount: number
  pre_payment_credit_notes_amount: number
  starting_balance: number
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  status_transitions: Record<
    'finalized_at' | 'marked_uncollectible_at' | 'paid_at' | 'voided_at',
    number | null
  >
  subtotal: number
  test_clock: string | null
  total: number
  total_discount_amounts: DiscountAmount[] | null
  _discounts?: Discount[]
  _subscription: string | null
  _paymentIntent: string | null
}

export interface MeterEvent extends Base {
  object: 'billing.meter_event'
  event_name: string
  identifier: string
  payload: Record<string, string>
  timestamp: number
}

export interface StripeEvent extends Base {
  object: 'event'
  type: string
  api_version: string | null
  data: { object: unknown; previous_attributes?: Record<string, unknown> }
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null } | null
}
