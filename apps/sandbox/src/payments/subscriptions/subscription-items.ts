import { newObject, type SandboxContext } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import { completeList } from '../../http/render-object.ts'
import type { List, Price, Subscription, SubscriptionItem } from '../../objects/billing-objects.ts'
import { priceById } from '../find-by-id.ts'
import { mergeMetadata } from '../params.ts'

/** The legacy `plan` object of an item. */
function planOf(price: Price) {
  const { id, active, billing_scheme, created, currency, metadata, nickname, product, tiers_mode } = price
  const {
    interval = 'month',
    interval_count = 1,
    meter = null,
    usage_type = 'licensed',
  } = price.recurring ?? {}
  return newObject<object>('Plan', 'price', {
    ...{ id, active, billing_scheme, created, currency, metadata, nickname, product, tiers_mode },
    ...{ interval, interval_count, meter, usage_type },
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
  })
}

export interface ItemInput {
  id?: string
  price?: string
  quantity?: number
  deleted?: boolean
  metadata?: Parameters<typeof mergeMetadata>[1]
}

function setPrice(item: SubscriptionItem, price: Price) {
  item.price = structuredClone(price)
  item.plan = planOf(price)
}

function setQuantity(item: SubscriptionItem, quantity: number | undefined, param: string) {
  if (item.price.recurring?.usage_type === 'metered') {
    if (quantity !== undefined) throw invalid('You cannot set the quantity for metered plans.', param)
    delete item.quantity
    return
  }
  if (quantity !== undefined && (!Number.isInteger(quantity) || quantity < 0))
    throw invalid(`Invalid non-negative integer: ${quantity}`, param, 'parameter_invalid_integer')
  item.quantity = quantity ?? item.quantity ?? 1
}

function recurringPrice(context: SandboxContext, id: string, currency: string | null, param: string) {
  const price = priceById(context, id, param)
  if (!price.recurring)
    throw invalid(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      param,
    )
  if (!price.active)
    throw invalid(`The price specified is inactive. This field only accepts active prices.`, param)
  if (currency !== null && price.currency !== currency)
    throw invalid(
      `The price specified supports currencies of \`${price.currency}\`, which doesn't match the expected currency: \`${currency}\`.`,
      param,
    )
  return price
}

export function newItem(
  context: SandboxContext,
  subscription: Subscription,
  input: ItemInput,
  at: number,
  param: string,
): SubscriptionItem {
  if (!input.price)
    throw invalid(`Missing required param: ${param}[price].`, `${param}[price]`, 'parameter_missing')
  const price = recurringPrice(context, input.price, subscription.currency || null, `${param}[price]`)
  const item = newObject<SubscriptionItem>('SubscriptionItem', 'si', {
    created: at,
    metadata: mergeMetadata({}, input.metadata),
    subscription: subscription.id,
    current_period_start: at,
    current_period_end: at,
  })
  Object.assign(item, { tax_rates: [], discounts: [] })
  setPrice(item, price)
  setQuantity(item, input.quantity, `${param}[quantity]`)
  return item
}

function assertNoDuplicates(items: readonly SubscriptionItem[]) {
  const seen = new Set<string>()
  for (const { price } of items) {
    if (seen.has(price.id))
      throw invalid(`Cannot add multiple subscription items with the same plan: ${price.id}`, 'items')
    seen.add(price.id)
  }
}

export const itemList = (subscription: string, data: SubscriptionItem[]): List<SubscriptionItem> =>
  completeList(data, `/v1/subscription_items?subscription=${subscription}`)

/** Computes the items after an update without changing the subscription. */
export function changedItems(
  context: SandboxContext,
  subscription: Subscription,
  inputs: readonly ItemInput[],
  at: number,
): SubscriptionItem[] {
  const items = structuredClone(subscription.items.data)
  for (const [index, input] of inputs.entries()) {
    const param = `items[${index}]`
    if (!input.id) {
      const item = newItem(context, subscription, input, at, param)
      item.current_period_start = items[0]?.current_period_start ?? at
      item.current_period_end = items[0]?.current_period_end ?? at
      items.push(item)
      continue
    }
    const position = items.findIndex(item => item.id === input.id)
    const item = items[position]
    if (!item) throw invalid(`No such subscription item: '${input.id}'`, `${param}[id]`, 'resource_missing')
    if (input.deleted) {
      items.splice(position, 1)
      continue
    }
    if (input.price)
      setPrice(item, recurringPrice(context, input.price, subscription.currency, `${param}[price]`))
    setQuantity(item, input.quantity, `${param}[quantity]`)
    item.metadata = mergeMetadata(item.metadata, input.metadata)
  }
  if (items.length === 0) throw invalid('A subscription must have at least one active plan.', 'items')
  assertNoDuplicates(items)
  return items
}
