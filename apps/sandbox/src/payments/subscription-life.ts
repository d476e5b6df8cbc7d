import type { Discount } from '../discount-objects.ts'
import type { Customer, Invoice, InvoiceLine, Subscription } from '../objects.ts'
import { now, type World } from '../world.ts'
import { collect, defaultMethod, endSubscription, holdBack } from './collection.ts'
import { endSpent } from './discounts.ts'
import { emit, saveChanged, snapshot } from './events.ts'
import { creditLine, finalUsage, isMetered, licensedLines, usageLines } from './invoice-lines.ts'
import { draftSeconds, finalize, intentOf, newInvoice, voidInvoice } from './invoices.ts'
import { nextBoundary } from './periods.ts'

/** Stripe gives the first payment, and a pending change, this long. */
export const patience = 23 * 3_600
const trialNotice = 3 * 86_400

export function customerOf(world: World, subscription: Subscription): Customer {
  const customer = world.store.get('customer', subscription.customer)
  if (!customer) throw new Error(`subscription ${subscription.id} has lost its customer`)
  return customer
}

export const periodEnd = (subscription: Subscription) =>
  Math.min(...subscription.items.data.map(item => item.current_period_end))

const periodStart = (subscription: Subscription) =>
  Math.min(...subscription.items.data.map(item => item.current_period_start))

/** Prorations that wait for the next invoice, taken off the subscription. */
export function takePending(subscription: Subscription): InvoiceLine[] {
  const lines = subscription._pendingLines
  subscription._pendingLines = []
  return lines
}

export function invoiceFor(
  world: World,
  subscription: Subscription,
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update',
  lines: InvoiceLine[],
  discounts?: Discount[],
): Invoice {
  const period = { start: periodStart(subscription), end: periodEnd(subscription) }
  const customer = customerOf(world, subscription)
  return newInvoice(world, {
    ...{ subscription, customer, reason, lines, period },
    ...(discounts && { discounts }),
  })
}

/** Moves every item into the period that begins now. */
export function startPeriod(subscription: Subscription, at: number) {
  for (const item of subscription.items.data) {
    if (!item.price.recurring) continue
    item.current_period_start = at
    item.current_period_end = nextBoundary(subscription.billing_cycle_anchor, item.price.recurring, at)
  }
}

function renew(world: World, subscription: Subscription) {
  const at = now(world, subscription.test_clock)
  const before = snapshot(subscription)
  endSpent(world, subscription, new Set())
  const used = subscription.items.data
    .filter(isMetered)
    .flatMap(item => usageLines(world, subscription, item, at))
  startPeriod(subscription, at)
  const fresh = subscription.items.data
    .filter(item => !isMetered(item))
    .flatMap(item => licensedLines(world, subscription, item))
  const invoice = invoiceFor(world, subscription, 'subscription_cycle', [
    ...takePending(subscription),
    ...used,
    ...fresh,
  ])
  const pause = subscription.pause_collection?.behavior
  if (pause === 'keep_as_draft' || subscription.status === 'unpaid') invoice.auto_advance = false
  else if (pause) holdBack(world, finalize(world, invoice), subscription)
  else invoice.automatically_finalizes_at = at + draftSeconds
  world.store.save(invoice)
  saveChanged(world, 'customer.subscription.updated', subscription, before)
}

/** The trial is over: the first paid period begins, unless no card was ever given. */
export function endTrial(world: World, subscription: Subscription) {
  const at = now(world, subscription.test_clock)
  const before = snapshot(subscription)
  const wish = subscription.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice'
  if (!defaultMethod(world, subscription) && wish !== 'create_invoice') {
    if (wish === 'cancel') return endSubscription(world, subscription, 'cancellation_requested')
    subscription.status = 'paused'
    saveChanged(world, 'customer.subscription.updated', subscription, before)
    return emit(world, 'customer.subscription.paused', subscription)
  }
  subscription.status = 'active'
  subscription.trial_end = at
  subscription.billing_cycle_anchor = at
  world.store.save(subscription)
  saveChanged(world, 'customer.subscription.updated', subscription, before)
  renew(world, subscription)
}

export function cancelNow(
  world: World,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
  { invoiceNow = false, prorate = false } = {},
) {
  const at = now(world, subscription.test_clock)
  const first = subscription.latest_invoice
    ? world.store.get('invoice', subscription.latest_invoice)
    : undefined
  if (subscription.status === 'incomplete' && first?.status === 'open') voidInvoice(world, first)
  const items = subscription.items.data
  const credits = prorate ? items.flatMap(item => creditLine(world, subscription, item, at) ?? []) : []
  const used = invoiceNow
    ? items.filter(isMetered).flatMap(item => usageLines(world, subscription, item, at))
    : []
  const lines = [...takePending(subscription), ...credits, ...used]
  if (invoiceNow && lines.length > 0) {
    const invoice = finalize(world, invoiceFor(world, subscription, 'subscription_update', lines))
    collect(world, invoice, defaultMethod(world, subscription), { announce: false })
  }
  endSubscription(world, subscription, reason)
}

/** A planned end: Stripe collects pending prorations and usage with one more invoice. */
function endAsPlanned(world: World, subscription: Subscription) {
  const at = now(world, subscription.test_clock)
  const lines = [
    ...takePending(subscription),
    ...finalUsage(world, subscription, subscription.items.data, at),
  ]
  const customer = customerOf(world, subscription)
  // No period begins: the one that ends has had its invoice.
  const period = { start: at, end: at }
  const invoice =
    lines.length > 0
      ? newInvoice(world, { subscription, customer, reason: 'subscription_cycle', lines, period })
      : undefined
  endSubscription(world, subscription, 'cancellation_requested')
  if (!invoice || holdBack(world, invoice, subscription)) return
  world.store.save(
    Object.assign(invoice, { auto_advance: true, automatically_finalizes_at: at + draftSeconds }),
  )
}

function expireIncomplete(world: World, subscription: Subscription) {
  const before = snapshot(subscription)
  const invoice = subscription.latest_invoice
    ? world.store.get('invoice', subscription.latest_invoice)
    : undefined
  if (invoice?.status === 'open') voidInvoice(world, invoice)
  subscription.status = 'incomplete_expired'
  subscription.ended_at = now(world, subscription.test_clock)
  saveChanged(world, 'customer.subscription.updated', subscription, before)
}

/** Its invoice goes, and the change with it. */
function expirePendingUpdate(world: World, subscription: Subscription) {
  const invoice = subscription.latest_invoice
    ? world.store.get('invoice', subscription.latest_invoice)
    : undefined
  if (invoice?.status === 'open') return voidInvoice(world, invoice)
  const before = snapshot(subscription)
  subscription.pending_update = null
  saveChanged(world, 'customer.subscription.updated', subscription, before)
  emit(world, 'customer.subscription.pending_update_expired', subscription)
}

function sendTrialNotice(world: World, subscription: Subscription) {
  subscription._trialNoticeSent = true
  emit(world, 'customer.subscription.trial_will_end', world.store.save(subscription))
}

function resumeCollection(world: World, subscription: Subscription) {
  const before = snapshot(subscription)
  subscription.pause_collection = null
  saveChanged(world, 'customer.subscription.updated', subscription, before)
}

interface Due {
  at: number
  run: () => void
}

/** The next thing that time will do to a subscription. */
export function nextOfSubscription(world: World, subscription: Subscription): Due | undefined {
  const due: Due[] = []
  const { status } = subscription
  if (status === 'canceled' || status === 'incomplete_expired' || status === 'paused') return undefined
  if (status === 'incomplete')
    return { at: subscription.created + patience, run: () => expireIncomplete(world, subscription) }
  if (subscription.pending_update)
    due.push({
      at: subscription.pending_update.expires_at,
      run: () => expirePendingUpdate(world, subscription),
    })
  const resumes = subscription.pause_collection?.resumes_at ?? null
  if (resumes !== null) due.push({ at: resumes, run: () => resumeCollection(world, subscription) })
  if (subscription.cancel_at !== null)
    due.push({
      at: subscription.cancel_at,
      run: () => endAsPlanned(world, subscription),
    })
  if (status === 'trialing' && subscription.trial_end !== null) {
    if (!subscription._trialNoticeSent)
      due.push({ at: subscription.trial_end - trialNotice, run: () => sendTrialNotice(world, subscription) })
    due.push({ at: subscription.trial_end, run: () => endTrial(world, subscription) })
  } else due.push({ at: periodEnd(subscription), run: () => renew(world, subscription) })
  return earliest(due)
}

/** The next thing that time will do to an invoice: leave the draft, or be tried again. */
export function nextOfInvoice(world: World, invoice: Invoice): Due | undefined {
  const subscription = invoice._subscription
    ? world.store.get('subscription', invoice._subscription)
    : undefined
  if (!subscription || customerOf(world, subscription).deleted) return undefined
  const method = () => defaultMethod(world, subscription)
  if (invoice.status === 'draft' && invoice.automatically_finalizes_at !== null)
    return {
      at: invoice.automatically_finalizes_at,
      run: () => collect(world, finalize(world, invoice), method()),
    }
  if (invoice.status === 'open' && invoice.next_payment_attempt !== null && intentOf(world, invoice))
    return { at: invoice.next_payment_attempt, run: () => collect(world, invoice, method()) }
  return undefined
}

export function earliest(all: readonly (Due | undefined)[]): Due | undefined {
  let first: Due | undefined
  // a tie goes to the one named first: a cancellation comes before the renewal of the same second
  for (const one of all) if (one && (!first || one.at < first.at)) first = one
  return first
}
