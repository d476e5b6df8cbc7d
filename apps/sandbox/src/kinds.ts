import type { Base } from './base.ts'
import type { Charge, CreditNote, Dispute, Refund } from './charge-objects.ts'
import type { Coupon, Discount, PromotionCode } from './discount-objects.ts'
import type {
  Customer,
  Invoice,
  InvoicePayment,
  Meter,
  MeterEvent,
  PaymentIntent,
  PaymentMethod,
  Price,
  Product,
  SetupIntent,
  StripeEvent,
  Subscription,
  TestClock,
  WebhookEndpoint,
} from './objects.ts'
import type { TaxRate } from './tax-objects.ts'

/** Not Stripe's: one attempt chain to bring one event to one endpoint. */
export interface Delivery extends Base {
  object: 'delivery'
  event: string
  endpoint: string
  state: 'done' | 'given_up' | 'lost' | 'pending'
  attempts: number
  lastStatus: number | null
  lastError: string | null
}

/** Not Stripe's: an answer kept for its Idempotency-Key. */
export interface KeptAnswer extends Base {
  object: 'kept_answer'
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

/** Not Stripe's: how far the sandbox's own clock runs ahead of the real one. */
export interface Setting extends Base {
  object: 'setting'
  value: unknown
}

/** A key of the identity providers. */
export interface IdentityKey extends Base {
  object: 'identity_key'
  /** PEM; play keys, worth as much as the play money. */
  private_key: string
  certificate: string
}

/** What the name server of the sandbox answers for a name. */
export interface DnsRecord extends Base {
  object: 'dns_record'
  txt: string[]
  fault: 'servfail' | null
}

/** A service provider that wants its requests checked. */
export interface ServiceProvider extends Base {
  object: 'service_provider'
  acs_url: string | null
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
  tax_rate: TaxRate
  'billing.meter': Meter
  'billing.meter_event': MeterEvent
  event: StripeEvent
  webhook_endpoint: WebhookEndpoint
  'test_helpers.test_clock': TestClock
  delivery: Delivery
  kept_answer: KeptAnswer
  mail: Mail
  setting: Setting
  identity_key: IdentityKey
  dns_record: DnsRecord
  service_provider: ServiceProvider
}

export type Kind = keyof Kinds
export type Stored = Kinds[Kind]
