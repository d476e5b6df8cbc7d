import { catalogueCalls, type WebhookEvent } from './catalogue.ts'
import { type ClientOptions, openClient } from './client.ts'
import { invoiceCalls } from './invoices.ts'
import { planChangeCalls } from './plan-change.ts'
import { promotionCalls } from './promotions.ts'
import { receiptCalls } from './receipts.ts'
import { refundCalls } from './refunds.ts'
import { seatAndUsageCalls } from './seats-and-usage.ts'
import { setupCalls } from './setup.ts'
import { subscriptionCalls } from './subscriptions.ts'
import { testClockCalls } from './test-clocks.ts'
import { unpaidInvoiceCalls } from './unpaid-invoices.ts'
import { verifyWebhook, type Webhook } from './webhook-signature.ts'

export { customerGoneError, isCustomerGone, isPaymentsError, PaymentsError } from './errors.ts'
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
export type { Webhook, WebhookEvent }

export type Payments = ReturnType<typeof openPayments>

/** The payment provider. Small functions over its SDK, whose types stay in this folder. */
export function openPayments(options: ClientOptions) {
  const { call, sdk, withRequestDeadline } = openClient(options)
  return {
    ...subscriptionCalls(call),
    ...planChangeCalls(call),
    ...catalogueCalls(call),
    ...setupCalls(call),
    ...promotionCalls(call),
    ...invoiceCalls(call),
    ...unpaidInvoiceCalls(call),
    ...seatAndUsageCalls(call),
    ...testClockCalls(call),
    ...refundCalls(call),
    ...receiptCalls(call),
    /** Runs a call with one deadline for all its requests. */
    withRequestDeadline,
    /** Whether real money moves. The provider marks its webhooks with it. */
    livemode: options.secretKey.includes('_live_'),
    /** @returns null when the signature is invalid */
    verifyWebhook: async (raw: Buffer, signature: string, secrets: string[]): Promise<Webhook | null> =>
      verifyWebhook(await sdk(), raw, signature, secrets),
  }
}
