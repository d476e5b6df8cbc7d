import type Stripe from 'stripe'
import { currentTime, type SandboxContext } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import type { InvoiceLine, Subscription, SubscriptionItem } from '../../objects/billing-objects.ts'
import type { Discount } from '../../objects/discount-objects.ts'
import { ownMethod } from '../cards/saved-cards.ts'
import { readDiscounts, setDiscounts } from '../discounts/discounts.ts'
import { saveAndEmit, snapshot } from '../events/emit-event.ts'
import { applyCollectionPause, collectPayment, defaultMethod } from '../invoices/collect-payment.ts'
import { creditLine, debitLine, isMetered, licensedLines, usageLines } from '../invoices/invoice-lines.ts'
import { finalizeInvoice } from '../invoices/invoices.ts'
import { mergeMetadata } from '../params.ts'
import { nextBoundary } from './periods.ts'
import { setCancelAt, setCancelAtPeriodEnd } from './schedule-cancellation.ts'
import { changedItems, type ItemInput, itemList } from './subscription-items.ts'
import {
  customerOf,
  endTrial,
  incompleteSeconds,
  invoiceFor,
  periodEnd,
  takePendingLines,
} from './subscription-lifecycle.ts'

type Params = Stripe.SubscriptionUpdateParams

const sameItem = (a: SubscriptionItem, b: SubscriptionItem) =>
  a.price.id === b.price.id && a.quantity === b.quantity

const cycleOf = (items: readonly SubscriptionItem[]) => {
  const recurring = items[0]?.price.recurring
  return `${recurring?.interval} ${recurring?.interval_count}`
}

interface Change {
  items: SubscriptionItem[]
  /** Credits and charges for the current period. */
  prorations: InvoiceLine[]
  /** A changed interval or the end of a trial starts a new cycle, which is billed at once. */
  newCycle: boolean
}

interface Moment {
  /** The time from which the current period is prorated. */
  at: number
  /** Start of a new cycle. */
  current: number
  endsTrial?: boolean
}

/** Computes a change of items without storing it. */
export function computeChange(
  context: SandboxContext,
  subscription: Subscription,
  inputs: readonly ItemInput[],
  { at, current, endsTrial = false }: Moment,
): Change {
  const before = subscription.items.data
  const items = changedItems(context, subscription, inputs, at)
  const newCycle = endsTrial || cycleOf(before) !== cycleOf(items)
  if (newCycle)
    for (const item of items)
      if (item.price.recurring) {
        item.current_period_start = current
        item.current_period_end = nextBoundary(current, item.price.recurring, current)
      }
  const gone = before.filter(
    old => !items.some(item => item.id === old.id && !newCycle && sameItem(item, old)),
  )
  const come = items.filter(
    item => !before.some(old => item.id === old.id && !newCycle && sameItem(item, old)),
  )
  const credits = endsTrial ? [] : gone.flatMap(item => finalLines(context, subscription, item, at))
  const debits = newCycle
    ? come.filter(item => !isMetered(item)).flatMap(item => licensedLines(context, subscription, item))
    : come.flatMap(item => debitLine(context, subscription, item, at) ?? [])
  return { items, prorations: [...credits, ...debits], newCycle }
}

/** Credit for a removed item. The usage of a removed metered item is billed. */
function finalLines(context: SandboxContext, subscription: Subscription, item: SubscriptionItem, at: number) {
  if (!isMetered(item)) return creditLine(context, subscription, item, at) ?? []
  return usageLines(context, subscription, item, at)
}

const endsTrial = (subscription: Subscription, params: Params) =>
  subscription.status === 'trialing' &&
  params.trial_end === 'now' &&
  params.items !== undefined &&
  params.payment_behavior === 'pending_if_incomplete'

/** @param waiting discounts of a change that can stay pending; redeemed when the change is applied */
function applyChange(
  context: SandboxContext,
  subscription: Subscription,
  change: Change,
  params: Params,
  { at, waiting }: { at: number; waiting: Discount[] | undefined },
) {
  const redeem = () => {
    if (waiting) setDiscounts(context, subscription, waiting)
  }
  const trial = endsTrial(subscription, params)
  const old = { items: subscription.items, anchor: subscription.billing_cycle_anchor }
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
  const pending = takePendingLines(subscription)
  const invoice = finalizeInvoice(
    context,
    invoiceFor(context, subscription, 'subscription_update', [...pending, ...lines], waiting),
  )
  if (params.payment_behavior === 'pending_if_incomplete') {
    subscription.items = old.items
    subscription.billing_cycle_anchor = old.anchor
    subscription.pending_update = {
      ...pendingUpdate(change.items, Math.min(at + incompleteSeconds, periodEnd(subscription))),
      billing_cycle_anchor: change.newCycle ? at : null,
      discounts: waiting?.map(one => context.store.save(one).id) ?? null,
      trial_end: trial ? at : null,
    }
    subscription._pendingDiscounts = waiting
  }
  if (applyCollectionPause(context, invoice, subscription)) return
  collectPayment(context, invoice, defaultMethod(context, subscription), { announce: false })
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

function endTrialNow(context: SandboxContext, subscription: Subscription) {
  if (subscription.status !== 'trialing') return
  endTrial(context, subscription)
  const invoice = context.store.get('invoice', subscription.latest_invoice ?? '')
  if (invoice?.status === 'draft')
    collectPayment(context, finalizeInvoice(context, invoice), defaultMethod(context, subscription), {
      announce: false,
    })
}

function assertEditable(subscription: Subscription, params: Params) {
  const ended = subscription.status === 'canceled' || subscription.status === 'incomplete_expired'
  const other = Object.keys(params).find(name => !['metadata', 'expand'].includes(name))
  if (ended && other)
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.', other)
  if (subscription.status === 'incomplete' && params.items)
    throw invalid(
      'You cannot update a subscription in `incomplete` status in a way that results in a new invoice.',
      'items',
    )
}

export function updateSubscription(
  context: SandboxContext,
  subscription: Subscription,
  params: Params,
): Subscription {
  assertEditable(subscription, params)
  assertPending(params)
  const before = snapshot(subscription)
  const current = currentTime(context, subscription.test_clock)
  const at = params.proration_date ?? current
  const customer = customerOf(context, subscription)
  const discounts =
    params.discounts === undefined
      ? undefined
      : readDiscounts(context, params.discounts, {
          customer,
          subscription,
          currency: subscription.currency,
          at: current,
          subtotal: undefined,
        })
  const trialGoes = endsTrial(subscription, params)
  const supposed = discounts ? { ...subscription, _discounts: discounts } : subscription
  const change =
    params.items && computeChange(context, supposed, params.items, { at, current, endsTrial: trialGoes })
  const mayWait = params.payment_behavior === 'pending_if_incomplete' && change !== undefined
  if (discounts && !mayWait) setDiscounts(context, subscription, discounts)
  if (params.default_payment_method !== undefined)
    subscription.default_payment_method = params.default_payment_method
      ? ownMethod(context, params.default_payment_method, customer, 'default_payment_method').id
      : null
  subscription.metadata = mergeMetadata(subscription.metadata, params.metadata)
  if (change)
    applyChange(context, subscription, change, params, {
      at: current,
      waiting: mayWait ? discounts : undefined,
    })
  if (params.trial_end !== undefined && !trialGoes) endTrialNow(context, subscription)
  if (params.pause_collection !== undefined) {
    const pause = params.pause_collection
    subscription.pause_collection = pause
      ? { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null }
      : null
  }
  if (params.cancel_at !== undefined) setCancelAt(context, subscription, params.cancel_at)
  if (params.cancel_at_period_end !== undefined)
    setCancelAtPeriodEnd(context, subscription, params.cancel_at_period_end)
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
  return subscription
}
