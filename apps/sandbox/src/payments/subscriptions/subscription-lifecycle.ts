import { currentTime, type SandboxContext } from '../../context.ts'
import type { Customer, Invoice, InvoiceLine, Subscription } from '../../objects/billing-objects.ts'
import type { Discount } from '../../objects/discount-objects.ts'
import { endExpiredDiscounts } from '../discounts/discounts.ts'
import { emitEvent, saveAndEmit, snapshot } from '../events/emit-event.ts'
import {
  applyCollectionPause,
  collectPayment,
  defaultMethod,
  endSubscription,
  subscriptionOf,
} from '../invoices/collect-payment.ts'
import { finalUsage, isMetered, licensedLines, usageLines } from '../invoices/invoice-lines.ts'
import { draftSeconds, finalizeInvoice, intentOf, newInvoice, voidInvoice } from '../invoices/invoices.ts'
import { nextBoundary } from './periods.ts'

/** Time limit for the first payment and for a pending change. */
export const incompleteSeconds = 23 * 3_600
const trialNotice = 3 * 86_400

export function customerOf(context: SandboxContext, subscription: Subscription): Customer {
  const customer = context.store.get('customer', subscription.customer)
  if (!customer) throw new Error(`subscription ${subscription.id} has lost its customer`)
  return customer
}

export const periodEnd = (subscription: Subscription) =>
  Math.min(...subscription.items.data.map(item => item.current_period_end))

const latestInvoice = (context: SandboxContext, { latest_invoice: id }: Subscription) =>
  context.store.get('invoice', id ?? '')

const periodStart = (subscription: Subscription) =>
  Math.min(...subscription.items.data.map(item => item.current_period_start))

/** Removes and returns the prorations for the next invoice. */
export function takePendingLines(subscription: Subscription): InvoiceLine[] {
  const lines = subscription._pendingLines
  subscription._pendingLines = []
  return lines
}

export function invoiceFor(
  context: SandboxContext,
  subscription: Subscription,
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update',
  lines: InvoiceLine[],
  discounts?: Discount[],
): Invoice {
  const period = { start: periodStart(subscription), end: periodEnd(subscription) }
  const customer = customerOf(context, subscription)
  return newInvoice(context, {
    ...{ subscription, customer, reason, lines, period },
    ...(discounts && { discounts }),
  })
}

/** Moves all items to the period that starts now. */
export function startPeriod(subscription: Subscription, at: number) {
  for (const item of subscription.items.data) {
    if (!item.price.recurring) continue
    item.current_period_start = at
    item.current_period_end = nextBoundary(subscription.billing_cycle_anchor, item.price.recurring, at)
  }
}

function renew(context: SandboxContext, subscription: Subscription) {
  const at = currentTime(context, subscription.test_clock)
  const before = snapshot(subscription)
  endExpiredDiscounts(context, subscription, new Set())
  const used = subscription.items.data
    .filter(isMetered)
    .flatMap(item => usageLines(context, subscription, item, at))
  startPeriod(subscription, at)
  const fresh = subscription.items.data
    .filter(item => !isMetered(item))
    .flatMap(item => licensedLines(context, subscription, item))
  const invoice = invoiceFor(context, subscription, 'subscription_cycle', [
    ...takePendingLines(subscription),
    ...used,
    ...fresh,
  ])
  const pause = subscription.pause_collection?.behavior
  if (pause === 'keep_as_draft' || subscription.status === 'unpaid') invoice.auto_advance = false
  else if (pause) applyCollectionPause(context, finalizeInvoice(context, invoice), subscription)
  else invoice.automatically_finalizes_at = at + draftSeconds
  context.store.save(invoice)
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
}

/** Starts the first paid period. Without a card, the trial settings can cancel instead. */
export function endTrial(context: SandboxContext, subscription: Subscription) {
  const at = currentTime(context, subscription.test_clock)
  const before = snapshot(subscription)
  const cancels = subscription.trial_settings?.end_behavior.missing_payment_method === 'cancel'
  if (cancels && !defaultMethod(context, subscription))
    return endSubscription(context, subscription, 'cancellation_requested')
  subscription.status = 'active'
  subscription.trial_end = at
  subscription.billing_cycle_anchor = at
  context.store.save(subscription)
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
  renew(context, subscription)
}

export function cancelSubscription(
  context: SandboxContext,
  subscription: Subscription,
  { invoiceNow = false } = {},
) {
  const at = currentTime(context, subscription.test_clock)
  const first = latestInvoice(context, subscription)
  if (subscription.status === 'incomplete' && first?.status === 'open') voidInvoice(context, first)
  const used = invoiceNow
    ? subscription.items.data.filter(isMetered).flatMap(item => usageLines(context, subscription, item, at))
    : []
  const lines = [...takePendingLines(subscription), ...used]
  if (invoiceNow && lines.length > 0) {
    const invoice = finalizeInvoice(context, invoiceFor(context, subscription, 'subscription_update', lines))
    collectPayment(context, invoice, defaultMethod(context, subscription), { announce: false })
  }
  endSubscription(context, subscription, 'cancellation_requested')
}

/** Ends a subscription as scheduled. One more invoice collects pending prorations and usage. */
function cancelAtPlannedTime(context: SandboxContext, subscription: Subscription) {
  const at = currentTime(context, subscription.test_clock)
  const lines = [
    ...takePendingLines(subscription),
    ...finalUsage(context, subscription, subscription.items.data, at),
  ]
  const customer = customerOf(context, subscription)
  // No new period starts, and the old one is already invoiced.
  const period = { start: at, end: at }
  const invoice =
    lines.length > 0
      ? newInvoice(context, { subscription, customer, reason: 'subscription_cycle', lines, period })
      : undefined
  endSubscription(context, subscription, 'cancellation_requested')
  if (!invoice || applyCollectionPause(context, invoice, subscription)) return
  context.store.save(
    Object.assign(invoice, { auto_advance: true, automatically_finalizes_at: at + draftSeconds }),
  )
}

function expireIncomplete(context: SandboxContext, subscription: Subscription) {
  const before = snapshot(subscription)
  const invoice = latestInvoice(context, subscription)
  if (invoice?.status === 'open') voidInvoice(context, invoice)
  subscription.status = 'incomplete_expired'
  subscription.ended_at = currentTime(context, subscription.test_clock)
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
}

/** Voids the invoice of a pending update and discards the update. */
function expirePendingUpdate(context: SandboxContext, subscription: Subscription) {
  const invoice = latestInvoice(context, subscription)
  if (invoice?.status === 'open') return voidInvoice(context, invoice)
  const before = snapshot(subscription)
  subscription.pending_update = null
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
  emitEvent(context, 'customer.subscription.pending_update_expired', subscription)
}

function sendTrialNotice(context: SandboxContext, subscription: Subscription) {
  subscription._trialNoticeSent = true
  emitEvent(context, 'customer.subscription.trial_will_end', context.store.save(subscription))
}

function resumeCollection(context: SandboxContext, subscription: Subscription) {
  const before = snapshot(subscription)
  subscription.pause_collection = null
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
}

interface ScheduledStep {
  at: number
  run: () => void
}

/** The next scheduled step of a subscription. */
export function nextSubscriptionStep(
  context: SandboxContext,
  subscription: Subscription,
): ScheduledStep | undefined {
  const due: ScheduledStep[] = []
  const { status } = subscription
  if (status === 'canceled' || status === 'incomplete_expired') return undefined
  if (status === 'incomplete')
    return {
      at: subscription.created + incompleteSeconds,
      run: () => expireIncomplete(context, subscription),
    }
  if (subscription.pending_update)
    due.push({
      at: subscription.pending_update.expires_at,
      run: () => expirePendingUpdate(context, subscription),
    })
  const resumes = subscription.pause_collection?.resumes_at ?? null
  if (resumes !== null) due.push({ at: resumes, run: () => resumeCollection(context, subscription) })
  if (subscription.cancel_at !== null)
    due.push({
      at: subscription.cancel_at,
      run: () => cancelAtPlannedTime(context, subscription),
    })
  if (status === 'trialing' && subscription.trial_end !== null) {
    if (!subscription._trialNoticeSent)
      due.push({
        at: subscription.trial_end - trialNotice,
        run: () => sendTrialNotice(context, subscription),
      })
    due.push({ at: subscription.trial_end, run: () => endTrial(context, subscription) })
  } else due.push({ at: periodEnd(subscription), run: () => renew(context, subscription) })
  return earliestStep(due)
}

/** The next scheduled step of an invoice: finalization or a retry of the payment. */
export function nextInvoiceStep(context: SandboxContext, invoice: Invoice): ScheduledStep | undefined {
  const subscription = subscriptionOf(context, invoice)
  if (!subscription || customerOf(context, subscription).deleted) return undefined
  const method = () => defaultMethod(context, subscription)
  if (invoice.status === 'draft' && invoice.automatically_finalizes_at !== null)
    return {
      at: invoice.automatically_finalizes_at,
      run: () => collectPayment(context, finalizeInvoice(context, invoice), method()),
    }
  if (invoice.status === 'open' && invoice.next_payment_attempt !== null && intentOf(context, invoice))
    return { at: invoice.next_payment_attempt, run: () => collectPayment(context, invoice, method()) }
  return undefined
}

export function earliestStep(all: readonly (ScheduledStep | undefined)[]): ScheduledStep | undefined {
  let first: ScheduledStep | undefined
  // At the same time the first wins: a cancellation precedes the renewal.
  for (const one of all) if (one && (!first || one.at < first.at)) first = one
  return first
}
