import type Stripe from 'stripe'
import type { Discount } from '../discount-objects.ts'
import { ApiError, invalid } from '../http/api-error.ts'
import type { Invoice, InvoiceLine, Subscription, SubscriptionItem } from '../objects.ts'
import { now, type World } from '../world.ts'
import { collect, defaultMethod, holdBack } from './collection.ts'
import { readDiscounts, restoreDiscounts, setDiscounts } from './discounts.ts'
import { saveChanged, snapshot } from './events.ts'
import { refusalOf } from './intents.ts'
import { creditLine, debitLine, isMetered, licensedLines, usageLines } from './invoice-lines.ts'
import { finalize, intentOf, voidInvoice } from './invoices.ts'
import { mergeMetadata } from './params.ts'
import { nextBoundary } from './periods.ts'
import { setCancelAt, setCancelAtPeriodEnd } from './subscription-cancel.ts'
import { ownMethod } from './subscription-create.ts'
import { changedItems, type ItemInput, itemList } from './subscription-items.ts'
import { customerOf, endTrial, invoiceFor, patience, periodEnd, takePending } from './subscription-life.ts'
import { assertLocation, setTax } from './taxes.ts'

type Params = Stripe.SubscriptionUpdateParams

const same = (a: SubscriptionItem, b: SubscriptionItem) =>
  a.price.id === b.price.id && a.quantity === b.quantity

const cycleOf = (items: readonly SubscriptionItem[]) => {
  const recurring = items[0]?.price.recurring
  return `${recurring?.interval} ${recurring?.interval_count}`
}

interface Change {
  items: SubscriptionItem[]
  /** Credits and charges for the running period. */
  prorations: InvoiceLine[]
  /** A change of interval, and the end of a trial, start a new cycle, which is billed at once. */
  newCycle: boolean
}

interface Moment {
  /** The second that divides the running period. */
  at: number
  /** When a new cycle begins, whatever divides the old one. */
  current: number
  endsTrial?: boolean
}

/** What a change of items comes to, at a moment; nothing is stored. */
export function planChange(
  world: World,
  subscription: Subscription,
  inputs: readonly ItemInput[],
  { at, current, endsTrial = false }: Moment,
): Change {
  const before = subscription.items.data
  const items = changedItems(world, subscription, inputs, at)
  const newCycle = endsTrial || cycleOf(before) !== cycleOf(items)
  if (newCycle)
    for (const item of items)
      if (item.price.recurring) {
        item.current_period_start = current
        item.current_period_end = nextBoundary(current, item.price.recurring, current)
      }
  const gone = before.filter(old => !items.some(item => item.id === old.id && !newCycle && same(item, old)))
  const come = items.filter(item => !before.some(old => item.id === old.id && !newCycle && same(item, old)))
  const credits = endsTrial ? [] : gone.flatMap(item => settled(world, subscription, item, at))
  const debits = newCycle
    ? come.filter(item => !isMetered(item)).flatMap(item => licensedLines(world, subscription, item))
    : come.flatMap(item => debitLine(world, subscription, item, at) ?? [])
  return { items, prorations: [...credits, ...debits], newCycle }
}

/** What goes is made good; of a metered item what was used is billed, as flexible billing does. */
function settled(world: World, subscription: Subscription, item: SubscriptionItem, at: number) {
  if (!isMetered(item)) return creditLine(world, subscription, item, at) ?? []
  return subscription.billing_mode.type === 'flexible' ? usageLines(world, subscription, item, at) : []
}

function refuseUnpaid(
  world: World,
  subscription: Subscription,
  invoice: Invoice,
  restore: () => void,
): never {
  const intent = intentOf(world, invoice)
  const refusal = intent && refusalOf(intent)
  if (invoice.status === 'open') voidInvoice(world, invoice)
  restore()
  world.store.save(subscription)
  throw (
    refusal ??
    new ApiError(402, {
      type: 'card_error',
      code: 'subscription_payment_intent_requires_action',
      message:
        'Payment for this subscription requires additional user action before it can be completed successfully.',
    })
  )
}

const endsTrial = (subscription: Subscription, params: Params) =>
  subscription.status === 'trialing' &&
  params.trial_end === 'now' &&
  params.items !== undefined &&
  params.payment_behavior === 'pending_if_incomplete'

/** @param waiting discounts that come with a change that may have to wait: redeemed when it does not, or is paid */
function applyChange(
  world: World,
  subscription: Subscription,
  change: Change,
  params: Params,
  { at, waiting }: { at: number; waiting: Discount[] | undefined },
) {
  const redeem = () => {
    if (waiting) setDiscounts(world, subscription, waiting)
  }
  const trial = endsTrial(subscription, params)
  const old = {
    items: subscription.items,
    anchor: subscription.billing_cycle_anchor,
    invoice: subscription.latest_invoice,
  }
  const paying = subscription.status === 'active' || subscription.status === 'past_due' || trial
  const behaviour = params.proration_behavior ?? 'create_prorations'
  const lines =
    behaviour === 'none' && !change.newCycle
      ? []
      : change.prorations.filter(line => behaviour !== 'none' || line.amount > 0)
  subscription.items = itemList(subscription.id, change.items)
  if (change.newCycle && paying) subscription.billing_cycle_anchor = at
  if (!paying) return redeem()
  if (behaviour !== 'always_invoice' && !change.newCycle) {
    subscription._pendingLines.push(...lines)
    return redeem()
  }
  if (lines.length === 0) return redeem()
  const pending = takePending(subscription)
  const invoice = finalize(
    world,
    invoiceFor(world, subscription, 'subscription_update', [...pending, ...lines], waiting),
  )
  const restore = () => {
    subscription.items = old.items
    subscription.billing_cycle_anchor = old.anchor
    subscription._pendingLines = pending
  }
  if (params.payment_behavior === 'pending_if_incomplete') {
    restore()
    subscription._pendingLines = []
    subscription.pending_update = {
      ...pendingUpdate(change.items, Math.min(at + patience, periodEnd(subscription))),
      billing_cycle_anchor: change.newCycle ? at : null,
      discounts: waiting?.map(one => world.store.save(one).id) ?? null,
      trial_end: trial ? at : null,
    }
    subscription._pendingDiscounts = waiting
  }
  if (holdBack(world, invoice, subscription)) return
  collect(
    world,
    invoice,
    params.payment_behavior === 'default_incomplete' ? undefined : defaultMethod(world, subscription),
    { announce: false },
  )
  if (invoice.status !== 'paid' && params.payment_behavior === 'error_if_incomplete')
    refuseUnpaid(world, subscription, invoice, () => {
      restore()
      subscription.latest_invoice = old.invoice
      subscription.status = 'active'
    })
}

const pendingUpdate = (items: SubscriptionItem[], expires_at: number) => ({
  billing_cycle_anchor: null,
  cancel_at_period_end: null,
  discount: null,
  discounts: null,
  expires_at,
  metadata: null,
  subscription_items: items,
  trial_end: null,
  trial_from_plan: null,
})

const pendingAllows = [
  'discounts',
  'expand',
  'items',
  'off_session',
  'payment_behavior',
  'proration_behavior',
  'proration_date',
  'trial_end',
  'billing_cycle_anchor',
]

function assertPending(params: Params) {
  if (params.payment_behavior !== 'pending_if_incomplete') return
  const other = Object.keys(params).find(name => !pendingAllows.includes(name))
  if (other)
    throw invalid(
      `When \`payment_behavior\` is set to \`pending_if_incomplete\`, you can't pass \`${other}\`.`,
      other,
    )
}

function setTrialEnd(world: World, subscription: Subscription, wanted: number | string, at: number) {
  if (wanted === 'now') {
    if (subscription.status !== 'trialing') return
    endTrial(world, subscription)
    const invoice = world.store.get('invoice', subscription.latest_invoice ?? '')
    if (invoice?.status === 'draft')
      collect(world, finalize(world, invoice), defaultMethod(world, subscription), { announce: false })
    return
  }
  if (typeof wanted !== 'number' || wanted <= at)
    throw invalid('trial_end must be a Unix timestamp in the future, or now.', 'trial_end')
  subscription.status = 'trialing'
  subscription.trial_start ??= at
  subscription.trial_end = wanted
  subscription.billing_cycle_anchor = wanted
  for (const item of subscription.items.data) item.current_period_end = wanted
}

function assertEditable(subscription: Subscription, params: Params) {
  const ended = subscription.status === 'canceled' || subscription.status === 'incomplete_expired'
  const other = Object.keys(params).find(
    name => !['metadata', 'cancellation_details', 'expand'].includes(name),
  )
  if (ended && other)
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.', other)
  if (subscription.status === 'incomplete' && params.items)
    throw invalid(
      'You cannot update a subscription in `incomplete` status in a way that results in a new invoice.',
      'items',
    )
}

export function updateSubscription(world: World, subscription: Subscription, params: Params): Subscription {
  assertEditable(subscription, params)
  assertPending(params)
  const before = snapshot(subscription)
  const current = now(world, subscription.test_clock)
  const at = params.proration_date ?? current
  const customer = customerOf(world, subscription)
  const discounts =
    params.discounts === undefined
      ? undefined
      : readDiscounts(world, params.discounts, {
          customer,
          subscription,
          currency: subscription.currency,
          at: current,
          subtotal: undefined,
        })
  const discountsBefore = subscription._discounts ?? []
  const trialGoes = endsTrial(subscription, params)
  const supposed = discounts ? { ...subscription, _discounts: discounts } : subscription
  const change =
    params.items && planChange(world, supposed, params.items, { at, current, endsTrial: trialGoes })
  if (params.automatic_tax?.enabled) assertLocation(params.automatic_tax.enabled, customer)
  setTax(world, subscription, params)
  const mayWait = params.payment_behavior === 'pending_if_incomplete' && change !== undefined
  if (discounts && !mayWait) setDiscounts(world, subscription, discounts)
  if (params.default_payment_method !== undefined)
    subscription.default_payment_method = params.default_payment_method
      ? ownMethod(world, params.default_payment_method, customer, 'default_payment_method').id
      : null
  subscription.metadata = mergeMetadata(subscription.metadata, params.metadata)
  if (params.description !== undefined)
    Object.assign(subscription, { description: params.description || null })
  if (params.cancellation_details)
    Object.assign(subscription.cancellation_details ?? {}, params.cancellation_details)
  if (params.payment_settings?.save_default_payment_method)
    Object.assign(subscription.payment_settings ?? {}, {
      save_default_payment_method: params.payment_settings.save_default_payment_method,
    })
  if (params.trial_settings?.end_behavior)
    Object.assign(subscription.trial_settings?.end_behavior ?? {}, params.trial_settings.end_behavior)
  if (change)
    try {
      applyChange(world, subscription, change, params, {
        at: current,
        waiting: mayWait ? discounts : undefined,
      })
    } catch (error) {
      // a change that was refused for its payment has redeemed nothing
      if (discounts && !mayWait) restoreDiscounts(world, subscription, discountsBefore, discounts)
      throw error
    }
  if (params.trial_end !== undefined && !trialGoes)
    setTrialEnd(world, subscription, params.trial_end, current)
  if (params.pause_collection !== undefined) {
    const pause = params.pause_collection
    subscription.pause_collection = pause
      ? { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null }
      : null
  }
  if (params.cancel_at !== undefined)
    setCancelAt(world, subscription, typeof params.cancel_at === 'object' ? null : params.cancel_at)
  if (params.cancel_at_period_end !== undefined)
    setCancelAtPeriodEnd(world, subscription, params.cancel_at_period_end)
  saveChanged(world, 'customer.subscription.updated', subscription, before)
  return subscription
}
