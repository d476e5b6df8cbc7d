import type Stripe from 'stripe'
import { invalid, missingReference } from '../http/api-error.ts'
import { newId } from '../ids.ts'
import type { Invoice, InvoiceLine, Subscription, SubscriptionItem } from '../objects.ts'
import { now, type World } from '../world.ts'
import { customerById } from './find.ts'
import { isMetered, licensedLines, usageLines } from './invoice-lines.ts'
import { addUp, composeInvoice } from './invoices.ts'
import { nextBoundary } from './periods.ts'
import { planChange } from './subscription-change.ts'
import { composeSubscription } from './subscription-create.ts'
import { customerOf, periodEnd } from './subscription-life.ts'

type Params = Stripe.InvoiceCreatePreviewParams

/** The lines of the renewal after this period, for the items as they would be. */
function renewalLines(world: World, subscription: Subscription, items: SubscriptionItem[]): InvoiceLine[] {
  return structuredClone(items).flatMap(item => {
    if (isMetered(item)) return usageLines(world, subscription, item, item.current_period_end)
    const start = item.current_period_end
    if (item.price.recurring)
      item.current_period_end = nextBoundary(subscription.billing_cycle_anchor, item.price.recurring, start)
    item.current_period_start = start
    return licensedLines(world, subscription, item)
  })
}

function ofExisting(world: World, subscription: Subscription, params: Params): Invoice {
  const details = params.subscription_details
  const at = details?.proration_date ?? now(world, subscription.test_clock)
  const change = details?.items && planChange(world, subscription, details.items, at)
  const behaviour = details?.proration_behavior ?? 'create_prorations'
  const pending = structuredClone(subscription._pendingLines)
  const prorations =
    behaviour === 'none' || subscription.status === 'trialing' ? [] : (change?.prorations ?? [])
  const immediate = change !== undefined && (behaviour === 'always_invoice' || change.newCycle)
  const renewal = immediate ? [] : renewalLines(world, subscription, change?.items ?? subscription.items.data)
  const end = periodEnd(subscription)
  return composeInvoice(world, {
    subscription,
    customer: customerOf(world, subscription),
    reason: immediate ? 'subscription_update' : 'subscription_cycle',
    lines: [...pending, ...prorations, ...renewal],
    period: { start: subscription.items.data[0]?.current_period_start ?? at, end },
  })
}

function ofNew(world: World, params: Params): Invoice {
  if (!params.customer)
    throw invalid(
      'You must provide a customer or a subscription to preview an invoice.',
      'customer',
      'parameter_missing',
    )
  const customer = customerById(world, params.customer, 'customer')
  const items = (params.subscription_details?.items ?? []).map(({ price, quantity }) => ({ price, quantity }))
  const subscription = composeSubscription(world, customer, { items })
  const lines = subscription.items.data
    .filter(item => !isMetered(item))
    .flatMap(item => licensedLines(world, subscription, item))
  const period = { start: now(world, customer.test_clock), end: periodEnd(subscription) }
  const invoice = composeInvoice(world, {
    subscription,
    customer,
    reason: 'subscription_create',
    lines,
    period,
  })
  invoice.parent = null
  for (const line of lines) line.subscription = null
  return invoice
}

/** What would be billed, by the same sums that bill; nothing is stored. */
export function previewInvoice(world: World, params: Params): Invoice {
  const found = params.subscription ? world.store.get('subscription', params.subscription) : undefined
  if (params.subscription && !found)
    throw missingReference('subscription', params.subscription, 'subscription')
  if (found?.ended_at)
    throw invalid('No upcoming invoices for customer', 'subscription', 'invoice_upcoming_none')
  const invoice = found ? ofExisting(world, found, params) : ofNew(world, params)
  invoice.id = newId('upcoming_in')
  for (const line of invoice.lines.data) line.invoice = invoice.id
  const { endingBalance } = addUp(invoice, invoice.starting_balance)
  invoice.ending_balance = endingBalance
  return invoice
}
