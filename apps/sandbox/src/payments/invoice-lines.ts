import type { InvoiceLine, Price, Subscription, SubscriptionItem } from '../objects.ts'
import { make, type World } from '../world.ts'
import { type Part, priceParts, priceTotal, prorated } from './amounts.ts'
import { netOf } from './discount-sums.ts'
import { liveDiscounts } from './discounts.ts'
import { moneyText } from './money.ts'
import { usageOf } from './usage.ts'

export const isMetered = (item: SubscriptionItem) => item.price.recurring?.usage_type === 'metered'

const nameOf = (world: World, price: Price) =>
  price.nickname ?? world.store.get('product', price.product)?.name ?? price.product
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
  const line = make<InvoiceLine>('InvoiceLineItem', 'il', {
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
    taxes: [],
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
    quantity_decimal: String(part.quantity),
    parent,
    pricing,
  })
}

/** What a period of a licensed item costs, to be paid in advance. */
export function licensedLines(
  world: World,
  subscription: Subscription,
  item: SubscriptionItem,
  free = false,
): InvoiceLine[] {
  const { price } = item
  const period = { start: item.current_period_start, end: item.current_period_end }
  const name = nameOf(world, price)
  const parts = free
    ? [{ quantity: item.quantity ?? 1, unitDecimal: '0', amount: 0, label: null }]
    : priceParts(price, item.quantity ?? 1)
  return parts.map(part => {
    const unit = moneyText(Number(part.unitDecimal ?? 0), price.currency, 6)
    const label = part.label ? `${part.label} at ${unit}` : `at ${unit}`
    const description = free
      ? `Trial period for ${name}`
      : `${part.quantity} × ${name} (${label} / ${price.recurring?.interval ?? 'once'})`
    return newLine({ subscription, item, part, description, period, proration: false })
  })
}

/** What was used in the item's current period, to be paid afterwards. */
export function usageLines(
  world: World,
  subscription: Subscription,
  item: SubscriptionItem,
  until: number,
): InvoiceLine[] {
  const { price } = item
  const period = { start: item.current_period_start, end: until }
  // Ended before its time, the second of the end is the last one that counts; else it is the next period's first.
  const end = until < item.current_period_end ? until + 1 : until
  const used = usageOf(world, price.recurring?.meter ?? null, subscription.customer, period.start, end)
  const name = nameOf(world, price)
  return priceParts(price, used).map(part => {
    const unit = moneyText(Number(part.unitDecimal ?? 0), price.currency, 6)
    const label = part.label ? `${part.label} at ${unit}` : `at ${unit}`
    const description = `${part.quantity} × ${name} (${label} / ${price.recurring?.interval ?? 'once'})`
    return newLine({ subscription, item, part, description, period, proration: false })
  })
}

/** The usage that a subscription's last invoice bills. */
export const finalUsage = (
  world: World,
  subscription: Subscription,
  items: SubscriptionItem[],
  until: number,
): InvoiceLine[] =>
  items
    .filter(isMetered)
    .flatMap(item => usageLines(world, subscription, item, until))
    .filter(line => line.amount !== 0)

const quantityOf = (item: SubscriptionItem) => item.quantity ?? 1

const netTotal = (subscription: Subscription, item: SubscriptionItem, at: number) =>
  netOf(liveDiscounts(subscription, at), item.price.product, priceTotal(item.price, quantityOf(item)))

/** What the item's running period was billed at, less its discounts, also those that were good once. */
function paidFor(world: World, subscription: Subscription, item: SubscriptionItem, at: number): number {
  const billed = world.store
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
  // an item that was changed within its period was billed by prorations, which are net
  return gross === priceTotal(item.price, quantityOf(item)) ? gross - off : netTotal(subscription, item, at)
}

/** Credit for what stays unused of an item as it was, to the second. */
export function creditLine(
  world: World,
  subscription: Subscription,
  item: SubscriptionItem,
  at: number,
): InvoiceLine | undefined {
  if (isMetered(item)) return undefined
  const { current_period_start: start, current_period_end: end } = item
  const amount = -prorated(paidFor(world, subscription, item, at), at, start, end)
  const part = {
    quantity: quantityOf(item),
    unitDecimal: item.price.unit_amount_decimal,
    amount: amount === 0 ? 0 : amount,
    label: null,
  }
  const description = `Unused time on ${quantityOf(item)} × ${nameOf(world, item.price)} after ${dateText(at)}`
  return newLine({ subscription, item, part, description, period: { start: at, end }, proration: true })
}

/** Charge for the rest of the period of an item as it becomes, to the second. */
export function debitLine(
  world: World,
  subscription: Subscription,
  item: SubscriptionItem,
  at: number,
): InvoiceLine | undefined {
  if (isMetered(item)) return undefined
  const { current_period_start: start, current_period_end: end } = item
  const amount = prorated(netTotal(subscription, item, at), at, start, end)
  const part = {
    quantity: quantityOf(item),
    unitDecimal: item.price.unit_amount_decimal,
    amount,
    label: null,
  }
  const description = `Remaining time on ${quantityOf(item)} × ${nameOf(world, item.price)} after ${dateText(at)}`
  return newLine({ subscription, item, part, description, period: { start: at, end }, proration: true })
}
