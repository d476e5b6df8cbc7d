import { newObject, type SandboxContext } from '../../context.ts'
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from '../../objects/billing-objects.ts'
import { netProration } from '../discounts/discount-sums.ts'
import { liveDiscounts } from '../discounts/discounts.ts'
import { type Part, priceParts, priceTotal, prorated } from '../prices/amounts.ts'
import { moneyText } from '../prices/money.ts'
import { usageOf } from '../prices/usage.ts'

export const isMetered = (item: SubscriptionItem) => item.price.recurring?.usage_type === 'metered'

const nameOf = (context: SandboxContext, price: Price) =>
  price.nickname ?? context.store.get('product', price.product)?.name ?? price.product
const dateText = (time: number) =>
  new Date(time * 1000).toLocaleDateString('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })

interface LineInput {
  subscription: Subscription
  item: SubscriptionItem
  part: Part
  description: string
  period: { start: number; end: number }
  proration: boolean
}

function newLine({ subscription, item, part, description, period, proration }: LineInput): InvoiceLine {
  const line = newObject<InvoiceLine>('InvoiceLineItem', 'il', {
    amount: part.amount,
    currency: subscription.currency,
    description,
    invoice: null,
    metadata: { ...subscription.metadata },
    period,
    quantity: part.quantity,
    subscription: subscription.id,
    subtotal: part.amount,
    discount_amounts: [],
    discountable: !proration,
  })
  const parent = {
    type: 'subscription_item_details',
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: null,
      proration,
      proration_details: { credited_items: null },
      subscription: subscription.id,
      subscription_item: item.id,
    },
  }
  const pricing = {
    type: 'price_details',
    unit_amount_decimal: part.unitDecimal,
    price_details: { price: item.price.id, product: item.price.product },
  }
  return Object.assign(line, {
    pretax_credit_amounts: [],
    taxes: [],
    quantity_decimal: String(part.quantity),
    parent,
    pricing,
  })
}

function describePart(context: SandboxContext, price: Price, part: Part) {
  const unit = moneyText(Number(part.unitDecimal ?? 0), price.currency, 6)
  const label = part.label ? `${part.label} at ${unit}` : `at ${unit}`
  const interval = price.recurring?.interval ?? 'once'
  return `${part.quantity} × ${nameOf(context, price)} (${label} / ${interval})`
}

/** Lines for a period of a licensed item, billed in advance. */
export function licensedLines(
  context: SandboxContext,
  subscription: Subscription,
  item: SubscriptionItem,
  free = false,
): InvoiceLine[] {
  const { price } = item
  const period = { start: item.current_period_start, end: item.current_period_end }
  const parts = free
    ? [{ quantity: quantityOf(item), unitDecimal: '0', amount: 0, label: null }]
    : priceParts(price, quantityOf(item))
  return parts.map(part => {
    const description = free
      ? `Trial period for ${nameOf(context, price)}`
      : describePart(context, price, part)
    return newLine({ subscription, item, part, description, period, proration: false })
  })
}

/** Lines for the usage in the item's current period, billed afterwards. */
export function usageLines(
  context: SandboxContext,
  subscription: Subscription,
  item: SubscriptionItem,
  until: number,
): InvoiceLine[] {
  const { price } = item
  const period = { start: item.current_period_start, end: until }
  // The second of the end counts when the period is cut short; otherwise it belongs to the next period.
  const end = until < item.current_period_end ? until + 1 : until
  const used = usageOf(context, price.recurring?.meter ?? null, subscription.customer, period.start, end)
  return priceParts(price, used).map(part => {
    const description = describePart(context, price, part)
    return newLine({ subscription, item, part, description, period, proration: false })
  })
}

/** Usage lines of a subscription's last invoice. */
export const finalUsage = (
  context: SandboxContext,
  subscription: Subscription,
  items: SubscriptionItem[],
  until: number,
): InvoiceLine[] =>
  items
    .filter(isMetered)
    .flatMap(item => usageLines(context, subscription, item, until))
    .filter(line => line.amount !== 0)

const quantityOf = (item: SubscriptionItem) => item.quantity ?? 1

const netTotal = (subscription: Subscription, item: SubscriptionItem, at: number) =>
  netProration(liveDiscounts(subscription, at), item.price.product, priceTotal(item.price, quantityOf(item)))

/** The amount billed for the item's current period after all discounts, including one-time ones. */
function paidFor(
  context: SandboxContext,
  subscription: Subscription,
  item: SubscriptionItem,
  at: number,
): number {
  const billed = context.store
    .all('invoice')
    .filter(one => one._subscription === subscription.id && one.status !== 'void')
    .flatMap(one => one.lines.data)
    .filter(line => {
      const details = line.parent?.subscription_item_details
      const whole = details?.subscription_item === item.id && !details.proration
      return whole && line.period.start === item.current_period_start
    })
  const gross = billed.reduce((sum, line) => sum + line.amount, 0)
  const off = billed.flatMap(line => line.discount_amounts ?? []).reduce((sum, one) => sum + one.amount, 0)
  // An item that changed within the period was billed by prorations, which are net.
  return gross === priceTotal(item.price, quantityOf(item)) ? gross - off : netTotal(subscription, item, at)
}

/** The share of the whole period's amount for the time after `at`, by the second. */
function prorationLine(
  context: SandboxContext,
  subscription: Subscription,
  item: SubscriptionItem,
  at: number,
  { whole, sign, text }: { whole: number; sign: 1 | -1; text: string },
): InvoiceLine {
  const { current_period_start: start, current_period_end: end, price } = item
  const quantity = quantityOf(item)
  // `|| 0` turns -0 into 0.
  const amount = sign * prorated(whole, at, start, end) || 0
  const part = { quantity, unitDecimal: price.unit_amount_decimal, amount, label: null }
  const description = `${text} on ${quantity} × ${nameOf(context, price)} after ${dateText(at)}`
  return newLine({ subscription, item, part, description, period: { start: at, end }, proration: true })
}

/** Credit for the unused time of the old item. */
export function creditLine(
  context: SandboxContext,
  subscription: Subscription,
  item: SubscriptionItem,
  at: number,
): InvoiceLine | undefined {
  if (isMetered(item)) return undefined
  const whole = paidFor(context, subscription, item, at)
  return prorationLine(context, subscription, item, at, { whole, sign: -1, text: 'Unused time' })
}

/** Charge for the remaining time of the new item. */
export function debitLine(
  context: SandboxContext,
  subscription: Subscription,
  item: SubscriptionItem,
  at: number,
): InvoiceLine | undefined {
  if (isMetered(item)) return undefined
  const whole = netTotal(subscription, item, at)
  return prorationLine(context, subscription, item, at, { whole, sign: 1, text: 'Remaining time' })
}
