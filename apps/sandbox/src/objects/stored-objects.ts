import type Stripe from 'stripe'
import type { Base, Unexpanded } from './base.ts'
import type {
  Customer,
  Invoice,
  MeterEvent,
  PaymentIntent,
  PaymentMethod,
  Price,
  SetupIntent,
  StripeEvent,
  Subscription,
} from './billing-objects.ts'
import type { Coupon, Discount, PromotionCode } from './discount-objects.ts'

/** A charge exists only for a successful payment. */
export type Charge = Unexpanded<Stripe.Charge>
export type Refund = Unexpanded<Stripe.Refund>
export type Dispute = Unexpanded<Stripe.Dispute>
export type CreditNote = Unexpanded<Stripe.CreditNote>
export type InvoicePayment = Unexpanded<Stripe.InvoicePayment>
export type Product = Unexpanded<Stripe.Product>
export type Meter = Unexpanded<Stripe.Billing.Meter>
export type WebhookEndpoint = Unexpanded<Stripe.WebhookEndpoint>
export type TestClock = Unexpanded<Stripe.TestHelpers.TestClock>

/** Delivery of one event to one endpoint, with its retries. */
export interface Delivery extends Base {
  object: 'delivery'
  event: string
  endpoint: string
  state: 'done' | 'given_up' | 'lost' | 'pending'
  attempts: number
  lastStatus: number | null
  lastError: string | null
}

/** The reply stored for an Idempotency-Key. */
export interface StoredReply extends Base {
  object: 'stored_reply'
  fingerprint: string
  status: number
  body: string
}

export interface Mail extends Base {
  object: 'mail'
  to: string[]
  from: string
  subject: string
  text: string
  html: string
  links: string[]
  headers: { key: string; value: string }[]
  date: string
  message_id: string
}

/** A setting of the sandbox, for example its clock's offset. */
export interface Setting extends Base {
  object: 'setting'
  value: unknown
}

export interface IdentityKey extends Base {
  object: 'identity_key'
  /** PEM. */
  private_key: string
  certificate: string
}

export interface DnsRecord extends Base {
  object: 'dns_record'
  txt: string[]
  fault: 'servfail' | null
}

/** A SAML service provider whose requests are checked. */
export interface ServiceProvider extends Base {
  object: 'service_provider'
  certificate: string | null
  want_signed: boolean
}

export interface Kinds {
  product: Product
  price: Price
  customer: Customer
  payment_method: PaymentMethod
  setup_intent: SetupIntent
  payment_intent: PaymentIntent
  charge: Charge
  refund: Refund
  dispute: Dispute
  credit_note: CreditNote
  subscription: Subscription
  invoice: Invoice
  invoice_payment: InvoicePayment
  coupon: Coupon
  promotion_code: PromotionCode
  discount: Discount
  'billing.meter': Meter
  'billing.meter_event': MeterEvent
  event: StripeEvent
  webhook_endpoint: WebhookEndpoint
  'test_helpers.test_clock': TestClock
  delivery: Delivery
  stored_reply: StoredReply
  mail: Mail
  setting: Setting
  identity_key: IdentityKey
  dns_record: DnsRecord
  service_provider: ServiceProvider
}

export type Kind = keyof Kinds
export type Stored = Kinds[Kind]
