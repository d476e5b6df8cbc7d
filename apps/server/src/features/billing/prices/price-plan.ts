import type { Quote } from '@plinth/contract'
import { isPlanId, type PlanId, planOf } from '@plinth/contract/plans'
import type { Services } from '../../../context.ts'
import { countMembers } from '../../../identity/account-store.ts'
import {
  isPaymentsError,
  type PlanChange,
  type Preview,
  type Promotion,
  type ProviderSubscription,
} from '../../../integrations/stripe/payments.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { hasEnded, isLive, isRunning, seatsFor } from '../core/rules.ts'
import * as store from '../core/store.ts'
import { reportUsageOfAccount } from '../usage/report-usage.ts'
import { type FirstItems, firstItems } from './catalogue.ts'
import { planChangeOf } from './plan-change.ts'
import type { Purpose } from './promotion.ts'
import { makeQuote } from './quote.ts'
import { discountStillApplies, onePeriodAfter, prorationDate } from './rules.ts'

export type Wanted = {
  plan: PlanId
  findPromotion: (purpose: Purpose) => Promise<Promotion | null>
  /** Values fixed by an attempt; otherwise the account's current ones. */
  fixed?: { seats: number; trialDays: number; prorationDate: Date | null }
}

/** Amounts are minor units. */
type Sums = {
  due_now: number
  /** Credit that remains for later invoices. */
  credit: number
  discount: number
  tax: number
  currency: string
  next_date: Date | null
  next_amount: number | null
}

/** A running subscription, and what would be changed. */
export type PricedChange = { from: string; running: ProviderSubscription; change: PlanChange }

export type Pricing = Sums & {
  plan: PlanId
  when: 'now' | 'period_end' | 'none'
  seats: number
  /** How many people are in the account. */
  members: number
  proration_date: Date | null
  promotion: Promotion | null
  /** The invoice of now, or the next one where a change is not billed by itself. */
  invoice: Preview | null
  change: PricedChange | null
  /** Items of a first subscription; null for a change. */
  items: FirstItems | null
  quote: Quote
}

/**
 * Prices a plan for an account by the provider's preview, with a quote. Never call it in a transaction.
 * @returns null while a payment is due, because the plan can't change then
 */
export async function pricePlan(
  services: Services,
  accountId: string,
  wanted: Wanted,
): Promise<Pricing | null> {
  const { account, row, members } = await services.withinAccount(accountId, async tx => ({
    account: await store.findAccount(tx, accountId),
    row: await store.findSubscription(tx, accountId),
    members: await countMembers(tx, accountId),
  }))
  const plan = planOf(wanted.plan)
  const { stripe_customer_id: customer, trialed_at } = account
  const subject: Subject = {
    plan: wanted.plan,
    customer,
    members,
    seats: wanted.fixed?.seats ?? seatsFor(plan, members),
    trialDays: wanted.fixed?.trialDays ?? (trialed_at ? 0 : plan.trial_days),
    facts: [accountId, plan.id],
  }
  const first = () => priceFirst(services, { ...subject, from: account.plan }, wanted)
  const id = row?.provider_sub_id
  if (!row || !isLive(row) || !id || !customer) return first()
  const held: Subject = { ...subject, facts: [...subject.facts, row.plan, row.status, row.pending_plan] }
  if (row.plan === plan.id) return free(held, 'none')
  if (plan.id === 'free') return priceEnd(services, { ...held, accountId, customer, id, row }, wanted)
  const running = await services.integrations.payments.readSubscription(id)
  if (!running || hasEnded(running.status)) return first()
  if (!isRunning(running.status)) return null
  if (running.collectionPaused) throw new Refusal('collection_paused', { field: 'plan' })
  return priceChange(services, { ...held, accountId, customer, from: row.plan, running }, wanted)
}

type Subject = {
  plan: PlanId
  customer: string | null
  members: number
  seats: number
  trialDays: number
  /** Facts of every quote: the account, the requested plan, and the running plan with its status. */
  facts: readonly unknown[]
}

/** `from`: the current plan, which is free or none. */
type First = Subject & { from: string | null }

function free(
  { plan, seats, members, facts }: Subject,
  when: Pricing['when'],
  ends: Date | null = null,
): Pricing {
  const { currency } = planOf(plan)
  return {
    ...{ plan, when, seats, members, due_now: 0, credit: 0, discount: 0, tax: 0, currency },
    ...{
      next_date: ends,
      next_amount: null,
      proration_date: null,
      promotion: null,
      invoice: null,
      change: null,
      items: null,
    },
    quote: makeQuote({ amount: 0, currency }, [...facts, when, ends]),
  }
}

type Ending = Subject & {
  accountId: string
  customer: string
  id: string
  row: { plan: string; current_period_end: Date | null }
}

/**
 * Prices the change to free at the end of the paid period. The last invoice bills prorations and usage until then. The
 * account owes them with any choice, so the preview shows them and the quote leaves them out.
 */
async function priceEnd(services: Services, ending: Ending, { fixed }: Wanted): Promise<Pricing> {
  const { accountId: account_id, customer, id, row } = ending
  const ends = free(ending, 'period_end', row.current_period_end)
  if (fixed) return ends
  if (isPlanId(row.plan) && planOf(row.plan).metered)
    await reportUsageOfAccount(services, { account_id, customer })
  const last = await services.integrations.payments.previewEnd(customer, id)
  return { ...ends, currency: last?.currency ?? ends.currency, next_amount: last?.amountDue ?? 0 }
}

/** Prices a first plan, or one after the last has ended. A trial delays the first payment. */
async function priceFirst(services: Services, subject: First, { findPromotion }: Wanted): Promise<Pricing> {
  const { customer, seats, members, trialDays, from } = subject
  const plan = planOf(subject.plan)
  if (!plan.interval) return free(subject, from === plan.id ? 'none' : 'now')
  const promotion = await findPromotion({ plan, customer, whole: trialDays === 0 })
  const items = await firstItems(services, plan, seats)
  const invoice = await firstInvoice(services, customer, items, promotion?.id ?? null)
  const base = invoice.lines.find(line => line.price === items[0]?.price)
  // The provider's clock, which may be ahead of ours in a sandbox.
  const start = base?.start ?? services.now()
  const next_date =
    trialDays > 0
      ? new Date(start.getTime() + trialDays * 86_400_000)
      : (base?.end ?? onePeriodAfter(start, plan.interval))
  const sums = { discount: invoice.discount, tax: invoice.tax, currency: invoice.currency, next_date }
  const credit = Math.max(0, -invoice.balance)
  const facts = [
    ...subject.facts,
    ...[items, trialDays, promotion?.id, invoice.total, invoice.tax, invoice.discount],
  ]
  const quoted = (due_now: number, next_amount: number) => ({
    due_now,
    next_amount,
    quote: makeQuote({ amount: due_now, currency: invoice.currency }, [...facts, credit, next_amount]),
  })
  const common = {
    plan: plan.id,
    when: 'now' as const,
    seats,
    members,
    proration_date: null,
    promotion,
    change: null,
    items,
  }
  // A one-time discount skips the trial and applies to the first paid period.
  if (trialDays > 0)
    return {
      ...common,
      ...sums,
      discount: 0,
      tax: 0,
      credit: 0,
      invoice: null,
      ...quoted(0, invoice.amountDue),
    }
  const then =
    !promotion || discountStillApplies(promotion, start, next_date)
      ? invoice
      : await firstInvoice(services, customer, items, null)
  return {
    ...{ ...common, ...sums, credit, invoice },
    ...quoted(invoice.amountDue, Math.max(0, then.total - credit)),
  }
}

/** Retries without the customer if it was deleted at the provider: the purchase creates a new one. */
function firstInvoice(
  { integrations: { payments } }: Services,
  customer: string | null,
  items: FirstItems,
  promotion: string | null,
): Promise<Preview> {
  return payments.previewFirst(customer, items, promotion).catch(error => {
    if (!customer || !isPaymentsError(error, 'missing') || error.param !== 'customer') throw error
    return payments.previewFirst(null, items, promotion)
  })
}

type Running = Subject & { accountId: string; customer: string; from: string; running: ProviderSubscription }

async function priceChange(services: Services, subject: Running, wanted: Wanted): Promise<Pricing> {
  const { accountId, customer, from, running, seats, members } = subject
  const { payments } = services.integrations
  const plan = planOf(subject.plan)
  // Report pending usage first, so that the preview shows it. With a fixed quote it is not billed any more.
  if (!wanted.fixed && running.items.some(item => item.metered))
    await reportUsageOfAccount(services, { account_id: accountId, customer })
  const promotion = await wanted.findPromotion({ plan, customer, whole: false })
  const period = { start: running.periodStart, end: running.periodEnd }
  const asked = wanted.fixed ? wanted.fixed.prorationDate : prorationDate(services.now(), undefined, period)
  const target = { plan: plan.id, seats, promotion_id: promotion?.id ?? null }
  let change = await planChangeOf(services, { ...target, proration_date: asked }, running)
  let invoice = await payments.previewChange(customer, running.id, change)
  const divided = asked ?? invoice.lines.find(line => line.proration)?.start ?? null
  if (divided !== asked) {
    // Our clock is outside the period: keep the provider's second for the charge.
    change = { ...change, prorationDate: divided }
    invoice = await payments.previewChange(customer, running.id, change)
  }
  const sums = change.bills
    ? await billedNow(services, { subject, change, invoice, promotion })
    : {
        due_now: 0,
        credit: Math.max(0, -prorationsOf(invoice)),
        next_date: running.periodEnd,
        next_amount: invoice.amountDue,
      }
  const { discount, tax, currency } = invoice
  const facts = [
    ...subject.facts,
    ...[
      running.id,
      running.status,
      running.items,
      running.seats,
      running.periodEnd,
      running.cancelAtPeriodEnd,
    ],
    ...[change.items, change.bills, change.endsTrial, change.promotion],
    ...[discount, tax, sums.credit, sums.next_amount],
  ]
  return {
    ...{ plan: plan.id, when: 'now', seats, members, promotion, invoice, discount, tax, currency, ...sums },
    proration_date: divided,
    change: { from, running, change },
    items: null,
    quote: makeQuote({ amount: sums.due_now, currency }, facts, divided),
  }
}

type Billed = { subject: Running; change: PlanChange; invoice: Preview; promotion: Promotion | null }

async function billedNow(services: Services, { subject, change, invoice, promotion }: Billed) {
  const { running, customer } = subject
  const to = planOf(subject.plan)
  const credit = Math.max(0, -invoice.balance)
  const starts = change.endsTrial || to.interval !== running.interval
  const base = invoice.lines.find(line => !line.proration && line.price === change.items[0]?.price)
  const begun = to.interval && onePeriodAfter(services.now(), to.interval)
  const next_date = starts ? (base?.end ?? begun) : running.periodEnd
  const left = await leftAt(services, next_date, { used: invoice.discount > 0, promotion, running })
  // The invoice after that, with the taxes and discounts of the provider.
  const next = await services.integrations.payments.previewRenewal(customer, running.id, change, left)
  return {
    due_now: invoice.amountDue,
    credit,
    next_date,
    next_amount: Math.max(0, next.total - settledOf(next, running, change) - credit),
  }
}

/**
 * Discounts that still apply when the next period begins.
 * @param used whether the invoice of the change has a discount
 * @returns null when all of them still apply
 */
async function leftAt(
  services: Services,
  at: Date | null,
  { used, promotion, running }: { used: boolean; promotion: Promotion | null; running: ProviderSubscription },
): Promise<string[] | null> {
  if (!at) return null
  if (promotion?.duration === 'once') return used ? [] : null
  if (promotion) return discountStillApplies(promotion, services.now(), at) ? null : []
  if (!used) return null
  const discounts = await services.integrations.payments.discountsOf(running.id)
  return discounts.filter(({ once, end }) => !once && (end === null || end > at)).map(({ id }) => id)
}

const prorationsOf = ({ lines }: Preview): number =>
  lines.filter(line => line.proration).reduce((sum, line) => sum + line.amount, 0)

/** Amounts that the change settles and the next invoice omits: prorations, and usage of a removed price. */
function settledOf({ lines }: Preview, { items }: ProviderSubscription, change: PlanChange): number {
  const gone = items.filter(({ id }) => change.items.some(item => item.id === id && item.deleted))
  const isGone = (price: string | null) => gone.some(item => item.price === price)
  return lines.filter(line => line.proration || isGone(line.price)).reduce((sum, line) => sum + line.total, 0)
}
