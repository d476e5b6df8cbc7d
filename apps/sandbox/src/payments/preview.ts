import type Stripe from 'stripe'
import { invalid, missingReference } from '../http/api-error.ts'
import { newId } from '../ids.ts'
import type { Customer, Invoice, InvoiceLine, Subscription, SubscriptionItem } from '../objects.ts'
import { now, type World } from '../world.ts'
import { priceTotal } from './amounts.ts'
import { composeCustomer } from './customers.ts'
import { liveDiscounts, readDiscounts } from './discounts.ts'
import { customerById } from './find.ts'
import { finalUsage, isMetered, licensedLines, usageLines } from './invoice-lines.ts'
import { composeInvoice } from './invoices.ts'
import { wholeAddress } from './params.ts'
import { nextBoundary } from './periods.ts'
import { planChange } from './subscription-change.ts'
import { composeSubscription } from './subscription-create.ts'
import { customerOf, periodEnd } from './subscription-life.ts'
import { setTax } from './taxes.ts'

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

/** The customer as the preview supposes them to be: elsewhere, or exempt. */
function supposedCustomer(customer: Customer, { customer_details: details }: Params): Customer {
  const { address, tax_exempt: exempt } = details ?? {}
  return {
    ...customer,
    ...(address !== undefined && { address: wholeAddress(address) }),
    ...(exempt !== undefined && { tax_exempt: exempt ? (exempt as Customer['tax_exempt']) : 'none' }), // read by its schema to one of the three
  }
}

/** The subscription as the preview supposes it to be: with other discounts, or taxed otherwise. */
function supposed(
  world: World,
  subscription: Subscription,
  customer: Customer,
  params: Params,
): Subscription {
  const copy = { ...subscription }
  const { default_tax_rates: rates } = params.subscription_details ?? {}
  setTax(
    world,
    copy,
    { automatic_tax: params.automatic_tax, default_tax_rates: rates },
    'subscription_details[default_tax_rates]',
  )
  if (params.discounts !== undefined)
    copy._discounts = readDiscounts(world, params.discounts, {
      customer,
      subscription,
      currency: subscription.currency,
      at: now(world, customer.test_clock),
      subtotal: subscription.items.data.reduce(
        (sum, item) => sum + priceTotal(item.price, item.quantity ?? 0),
        0,
      ),
    })
  return copy
}

/** When the subscription ends as the preview supposes it; null where it goes on. */
function supposedEnd(subscription: Subscription, details: Params['subscription_details']): number | null {
  const { cancel_at: at, cancel_at_period_end: atPeriodEnd } = details ?? {}
  if (atPeriodEnd !== undefined) return atPeriodEnd ? periodEnd(subscription) : null
  if (at === undefined) return subscription.cancel_at
  if (typeof at === 'number') return at
  return at ? periodEnd(subscription) : null
}

function ofExisting(world: World, found: Subscription, params: Params): Invoice {
  const details = params.subscription_details
  const customer = supposedCustomer(customerOf(world, found), params)
  const subscription = supposed(world, found, customer, params)
  const current = now(world, subscription.test_clock)
  const at = details?.proration_date ?? current
  if (details?.trial_end !== undefined && details.trial_end !== 'now')
    throw invalid(
      'A preview here ends a trial now, or leaves it as it is.',
      'subscription_details[trial_end]',
    )
  const endsTrial = subscription.status === 'trialing' && details?.trial_end === 'now'
  const change = details?.items && planChange(world, subscription, details.items, { at, current, endsTrial })
  const behaviour = details?.proration_behavior ?? 'create_prorations'
  const pending = structuredClone(subscription._pendingLines)
  const lines = subscription.status === 'trialing' && !endsTrial ? [] : (change?.prorations ?? [])
  // a new cycle is charged for also without prorations: only the credits go
  const prorations = behaviour === 'none' ? lines.filter(line => change?.newCycle && line.amount > 0) : lines
  const immediate = change !== undefined && (behaviour === 'always_invoice' || change.newCycle)
  const items = change?.items ?? subscription.items.data
  const end = periodEnd(subscription)
  const ends = (supposedEnd(subscription, details) ?? Infinity) <= end
  const last = ends ? finalUsage(world, subscription, items, end) : renewalLines(world, subscription, items)
  const renewal = immediate ? [] : last
  if (pending.length + prorations.length + renewal.length === 0) throw noneUpcoming()
  return composeInvoice(world, {
    subscription,
    customer,
    reason: immediate ? 'subscription_update' : 'subscription_cycle',
    lines: [...pending, ...prorations, ...renewal],
    period: { start: subscription.items.data[0]?.current_period_start ?? at, end },
    discounts: liveDiscounts(subscription, immediate ? current : end),
  })
}

function ofNew(world: World, params: Params): Invoice {
  if (!params.customer && !params.customer_details)
    throw invalid(
      'You must provide a customer, their details or a subscription to preview an invoice.',
      'customer',
      'parameter_missing',
    )
  // somebody who is no customer yet may ask what it would come to
  const known = params.customer
    ? customerById(world, params.customer, 'customer')
    : composeCustomer(world, {})
  const customer = supposedCustomer(known, params)
  const items = (params.subscription_details?.items ?? []).map(({ price, quantity }) => ({ price, quantity }))
  const subscription = supposed(world, composeSubscription(world, customer, { items }), customer, params)
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
  if (!params.customer) Object.assign(invoice, { customer: null })
  for (const line of lines) line.subscription = null
  return invoice
}

const noneUpcoming = () =>
  invalid('No upcoming invoices for customer', 'subscription', 'invoice_upcoming_none')

/** What would be billed, by the same sums that bill; nothing is stored. */
export function previewInvoice(world: World, params: Params): Invoice {
  const found = params.subscription ? world.store.get('subscription', params.subscription) : undefined
  if (params.subscription && !found)
    throw missingReference('subscription', params.subscription, 'subscription')
  if (found?.ended_at) throw noneUpcoming()
  const invoice = found ? ofExisting(world, found, params) : ofNew(world, params)
  invoice.id = newId('upcoming_in')
  for (const line of invoice.lines.data) line.invoice = invoice.id
  invoice.ending_balance = invoice.amount_due > 0 ? 0 : invoice.total + invoice.starting_balance
  return invoice
}
