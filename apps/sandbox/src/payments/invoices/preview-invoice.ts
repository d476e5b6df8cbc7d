import type Stripe from 'stripe'
import { currentTime, type SandboxContext } from '../../context.ts'
import { invalid, missingReference } from '../../http/api-error.ts'
import type {
  Customer,
  Invoice,
  InvoiceLine,
  Subscription,
  SubscriptionItem,
} from '../../objects/billing-objects.ts'
import { newId } from '../../objects/ids.ts'
import { buildCustomer } from '../customers.ts'
import { liveDiscounts, readDiscounts } from '../discounts/discounts.ts'
import { customerById } from '../find-by-id.ts'
import { priceTotal } from '../prices/amounts.ts'
import { buildSubscription } from '../subscriptions/create-subscription.ts'
import { nextBoundary } from '../subscriptions/periods.ts'
import { customerOf, periodEnd } from '../subscriptions/subscription-lifecycle.ts'
import { computeChange } from '../subscriptions/update-subscription.ts'
import { finalUsage, isMetered, licensedLines, usageLines } from './invoice-lines.ts'
import { buildInvoice } from './invoices.ts'

type Params = Stripe.InvoiceCreatePreviewParams

/** Lines of the next renewal for the previewed items. */
function renewalLines(
  context: SandboxContext,
  subscription: Subscription,
  items: SubscriptionItem[],
): InvoiceLine[] {
  return structuredClone(items).flatMap(item => {
    if (isMetered(item)) return usageLines(context, subscription, item, item.current_period_end)
    const start = item.current_period_end
    if (item.price.recurring)
      item.current_period_end = nextBoundary(subscription.billing_cycle_anchor, item.price.recurring, start)
    item.current_period_start = start
    return licensedLines(context, subscription, item)
  })
}

/** The subscription with the preview's discounts. */
function previewedSubscription(
  context: SandboxContext,
  subscription: Subscription,
  customer: Customer,
  params: Params,
): Subscription {
  const copy = { ...subscription }
  if (params.discounts !== undefined)
    copy._discounts = readDiscounts(context, params.discounts, {
      customer,
      subscription,
      currency: subscription.currency,
      at: currentTime(context, customer.test_clock),
      subtotal: subscription.items.data.reduce(
        (sum, item) => sum + priceTotal(item.price, item.quantity ?? 0),
        0,
      ),
    })
  return copy
}

/** End of the previewed subscription; null when it does not end. */
function previewedEnd(subscription: Subscription, details: Params['subscription_details']): number | null {
  const { cancel_at: at, cancel_at_period_end: atPeriodEnd } = details ?? {}
  if (atPeriodEnd !== undefined) return atPeriodEnd ? periodEnd(subscription) : null
  return at === undefined ? subscription.cancel_at : null
}

function previewUpdate(context: SandboxContext, found: Subscription, params: Params): Invoice {
  const details = params.subscription_details
  const customer = customerOf(context, found)
  const subscription = previewedSubscription(context, found, customer, params)
  const current = currentTime(context, subscription.test_clock)
  const at = details?.proration_date ?? current
  const endsTrial = subscription.status === 'trialing' && details?.trial_end === 'now'
  const change =
    details?.items && computeChange(context, subscription, details.items, { at, current, endsTrial })
  const behaviour = details?.proration_behavior ?? 'create_prorations'
  const pending = structuredClone(subscription._pendingLines)
  const lines = subscription.status === 'trialing' && !endsTrial ? [] : (change?.prorations ?? [])
  // Without prorations only the credits are left out: a new cycle is still charged.
  const prorations = behaviour === 'none' ? lines.filter(line => change?.newCycle && line.amount > 0) : lines
  const immediate = change !== undefined && (behaviour === 'always_invoice' || change.newCycle)
  const items = change?.items ?? subscription.items.data
  const end = periodEnd(subscription)
  const ends = (previewedEnd(subscription, details) ?? Infinity) <= end
  const last = ends
    ? finalUsage(context, subscription, items, end)
    : renewalLines(context, subscription, items)
  const renewal = immediate ? [] : last
  if (pending.length + prorations.length + renewal.length === 0) throw noneUpcoming()
  return buildInvoice(context, {
    subscription,
    customer,
    reason: immediate ? 'subscription_update' : 'subscription_cycle',
    lines: [...pending, ...prorations, ...renewal],
    period: { start: subscription.items.data[0]?.current_period_start ?? at, end },
    discounts: liveDiscounts(subscription, immediate ? current : end),
  })
}

function previewNewSubscription(context: SandboxContext, params: Params): Invoice {
  if (!params.customer && !params.customer_details)
    throw invalid(
      'You must provide a customer, their details or a subscription to preview an invoice.',
      'customer',
      'parameter_missing',
    )
  // A preview needs no stored customer.
  const customer = params.customer
    ? customerById(context, params.customer, 'customer')
    : buildCustomer(context, {})
  const items = (params.subscription_details?.items ?? []).map(({ price, quantity }) => ({ price, quantity }))
  const subscription = previewedSubscription(
    context,
    buildSubscription(context, customer, { items }),
    customer,
    params,
  )
  const lines = subscription.items.data
    .filter(item => !isMetered(item))
    .flatMap(item => licensedLines(context, subscription, item))
  const period = { start: currentTime(context, customer.test_clock), end: periodEnd(subscription) }
  const invoice = buildInvoice(context, {
    subscription,
    customer,
    reason: 'subscription_create',
    lines,
    period,
  })
  invoice.parent = null
  if (!params.customer) Object.assign(invoice, { customer: null })
  for (const line of lines) line.subscription = null
  return invoice
}

const noneUpcoming = () =>
  invalid('No upcoming invoices for customer', 'subscription', 'invoice_upcoming_none')

/** Computes an invoice with the functions that bill, without storing it. */
export function previewInvoice(context: SandboxContext, params: Params): Invoice {
  const found = params.subscription ? context.store.get('subscription', params.subscription) : undefined
  if (params.subscription && !found)
    throw missingReference('subscription', params.subscription, 'subscription')
  if (found?.ended_at) throw noneUpcoming()
  const invoice = found ? previewUpdate(context, found, params) : previewNewSubscription(context, params)
  invoice.id = newId('upcoming_in')
  for (const line of invoice.lines.data) line.invoice = invoice.id
  invoice.ending_balance = invoice.amount_due > 0 ? 0 : invoice.total + invoice.starting_balance
  return invoice
}
