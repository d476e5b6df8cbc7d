import { readFileSync } from 'node:fs'

/** The part of JSON Schema that scripts/derive-schemas.ts writes. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: 'decimal'
  const?: unknown
  enum?: (string | number)[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

interface SchemaFile {
  sdk: string
  apiVersion: string
  definitions: Record<string, Schema>
}

const file = new URL('../generated/stripe-schemas.json', import.meta.url)
const loaded: SchemaFile = JSON.parse(readFileSync(file, 'utf8'))

export const { apiVersion, definitions } = loaded

export function definition(name: string): Schema {
  const found = definitions[name]
  if (!found) throw new Error(`no schema is called ${name}`)
  return found
}

const refName = (schema: Schema) => schema.$ref?.slice('#/definitions/'.length)

export const resolveSchema = (schema: Schema): Schema => {
  const name = refName(schema)
  return name ? definition(name) : schema
}

const wireNames: Record<string, string> = {
  product: 'Product',
  price: 'Price',
  customer: 'Customer',
  payment_method: 'PaymentMethod',
  setup_intent: 'SetupIntent',
  payment_intent: 'PaymentIntent',
  charge: 'Charge',
  refund: 'Refund',
  dispute: 'Dispute',
  credit_note: 'CreditNote',
  credit_note_line_item: 'CreditNoteLineItem',
  subscription: 'Subscription',
  subscription_item: 'SubscriptionItem',
  invoice: 'Invoice',
  line_item: 'InvoiceLineItem',
  invoice_payment: 'InvoicePayment',
  coupon: 'Coupon',
  promotion_code: 'PromotionCode',
  discount: 'Discount',
  tax_rate: 'TaxRate',
  'billing.meter': 'Meter',
  'billing.meter_event': 'MeterEvent',
  'billing.meter_event_summary': 'MeterEventSummary',
  event: 'EventBase',
  webhook_endpoint: 'WebhookEndpoint',
  'test_helpers.test_clock': 'TestClock',
}

/** The definition of an object, by its `object` field. */
export function definitionNameOf(object: string, deleted: boolean): string {
  const name = wireNames[object]
  if (!name) throw new Error(`no schema is known for objects called ${object}`)
  return deleted ? `Deleted${name}` : name
}
