import { catalogueVerbs } from './catalogue.ts'
import { type ClientOptions, openClient } from './client.ts'
import { readingVerbs } from './invoices.ts'
import { changingVerbs } from './plan-change.ts'
import { promotionVerbs } from './promotions.ts'
import { receiptVerbs } from './receipts.ts'
import { refundingVerbs } from './refunds.ts'
import { upkeepVerbs } from './seats-and-usage.ts'
import { inventoryVerbs } from './setup.ts'
import { payingVerbs } from './subscriptions.ts'
import { clockVerbs } from './test-clocks.ts'
import { owingVerbs } from './unpaid-invoices.ts'
import { type Notice, readNotice } from './webhook-signature.ts'

export { customerGone, isCustomerGone, isPaymentsError, PaymentsError } from './errors.ts'
export type { ProviderInvoice } from './invoices.ts'
export type { ItemChange, PlanChange, Preview } from './plan-change.ts'
export { isPromotionRefused, type Promotion } from './promotions.ts'
export type { PaidInvoice } from './receipts.ts'
export {
  type Card,
  type CardFace,
  type Confirmation,
  type Due,
  isOwing,
  type ProviderSubscription,
} from './shapes.ts'
export type { OwedInvoice } from './unpaid-invoices.ts'
export type { Notice, WebhookEvent }

import type { WebhookEvent } from './catalogue.ts'

export type Payments = ReturnType<typeof openPayments>

/** The payment provider in our own words: small verbs over its official SDK, whose types stay behind this door. */
export function openPayments(options: ClientOptions) {
  const { call, sdk, forVisitor } = openClient(options)
  return {
    ...payingVerbs(call),
    ...changingVerbs(call),
    ...catalogueVerbs(call),
    ...inventoryVerbs(call),
    ...promotionVerbs(call),
    ...readingVerbs(call),
    ...owingVerbs(call),
    ...upkeepVerbs(call),
    ...clockVerbs(call),
    ...refundingVerbs(call),
    ...receiptVerbs(call),
    /** Runs what a visitor waits for: all that it asks of the provider shares the time of one answer. */
    forVisitor,
    /** Whether real money moves: the provider marks its messages with it. */
    livemode: options.secretKey.includes('_live_'),
    /** @returns null when the signature does not hold */
    readNotice: async (raw: Buffer, signature: string, secrets: string[]): Promise<Notice | null> =>
      readNotice(await sdk(), raw, signature, secrets),
  }
}
