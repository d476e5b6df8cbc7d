import { catalogueVerbs } from './payments/catalogue.ts'
import { changingVerbs } from './payments/changing.ts'
import { type ClientOptions, openClient } from './payments/client.ts'
import { clockVerbs } from './payments/clocks.ts'
import { inventoryVerbs } from './payments/inventory.ts'
import { type Notice, readNotice } from './payments/notices.ts'
import { owingVerbs } from './payments/owing.ts'
import { promotionVerbs } from './payments/promotions.ts'
import { readingVerbs } from './payments/reading.ts'
import { receiptVerbs } from './payments/receipts.ts'
import { refundingVerbs } from './payments/refunding.ts'
import { payingVerbs } from './payments/subscriptions.ts'
import { upkeepVerbs } from './payments/upkeep.ts'

export type { ItemChange, PlanChange, Preview } from './payments/changing.ts'
export { customerGone, isCustomerGone, isPaymentsError, PaymentsError } from './payments/errors.ts'
export type { OwedInvoice } from './payments/owing.ts'
export { isPromotionRefused, type Promotion } from './payments/promotions.ts'
export type { ProviderInvoice } from './payments/reading.ts'
export type { PaidInvoice } from './payments/receipts.ts'
export {
  type Card,
  type CardFace,
  type Confirmation,
  type Due,
  isOwing,
  type ProviderSubscription,
} from './payments/shapes.ts'
export type { Notice, WebhookEvent }

import type { WebhookEvent } from './payments/catalogue.ts'

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
