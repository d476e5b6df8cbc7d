import type { Received, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/billing'
import { isPlanId, type PlanId, planOf } from '@plinth/contract/plans'
import type { SignedIn } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  isPaymentsError,
  isPromotionRefused,
  type PlanChange,
  type Preview,
  type Promotion,
  type ProviderSubscription,
} from '../../outside/payments.ts'
import { countMembers } from '../accounts/standing.ts'
import { firstItems, type PriceOf, priceNames } from './catalogue.ts'
import { changeOf } from './change.ts'
import { carryUsageOf } from './meter.ts'
import { codeRefusal, describePromotion, findPromotion, type Purpose, spendOnCode } from './promotion.ts'
import {
  hasEnded,
  isLive,
  isRunning,
  onePeriodAfter,
  priceFor,
  prorationDate,
  seatsFor,
  stillOff,
} from './rules.ts'
import * as store from './store.ts'
import { orDown } from './trouble.ts'

type PlanPreview = Reply<(typeof billing)['previewPlan']>

/** What a change to a plan would cost: of a running subscription the provider is asked, of a first plan the price list. */
export async function previewPlan(
  ctx: SignedIn,
  { plan, promotion_code }: Received<(typeof billing)['previewPlan']>['query'],
): Promise<PlanPreview> {
  const { account_id } = ctx.actor
  const code = promotion_code ?? null
  await spendOnCode(ctx, code)
  const found = await ctx.within(async tx => ({
    account: await store.findAccount(tx, account_id),
    row: await store.findSubscription(tx, account_id),
    members: await countMembers(tx, account_id),
  }))
  const { account, row, members } = found
  const seats = seatsFor(planOf(plan), members)
  const { provider_sub_id: id, stripe_customer_id: customer } = { ...account, provider_sub_id: null, ...row }
  const first = { plan, seats, account, code }
  if (!row || !isLive(row) || !id || !customer) return orDown(ctx, () => ofFirst(ctx, first))
  if (row.plan === plan) return nothing(plan, 'none')
  if (plan === 'free') {
    const next_date = row.current_period_end?.toISOString() ?? null
    return { ...nothing(plan, 'period_end'), next_date, next_amount: 0 }
  }
  return orDown(ctx, async () => {
    const running = await ctx.outside.payments.readSubscription(id)
    if (!running || hasEnded(running.status)) return ofFirst(ctx, first)
    if (!isRunning(running.status)) throw new Refusal('payment_due', { field: 'plan' })
    if (running.collectionPaused) throw new Refusal('collection_paused', { field: 'plan' })
    return ofChange(ctx, { plan, seats, from: row.plan, customer, running, code })
  })
}

const nothing = (plan: PlanId, when: PlanPreview['when']): PlanPreview => ({
  ...{ plan, when, lines: [], due_now: 0, credit: 0, next_date: null, next_amount: null },
  ...{ discount: 0, promotion: null, tax: 0 },
  currency: planOf(plan).currency,
  proration_date: null,
})

type First = {
  plan: PlanId
  seats: number
  account: { plan: string | null; trialed_at: Date | null; stripe_customer_id: string | null }
  code: string | null
}

/**
 * A first plan costs what the list says. With a code, or for who has paid before and may have credit left, the provider
 * is asked. A trial that the account still has puts it off.
 */
async function ofFirst(ctx: SignedIn, { plan: id, seats, account, code }: First): Promise<PlanPreview> {
  const plan = planOf(id)
  if (!plan.interval) return nothing(id, account.plan === id ? 'none' : 'now')
  const amount = priceFor(plan, seats)
  const days = account.trialed_at ? 0 : plan.trial_days
  const now = ctx.now()
  const next = days > 0 ? new Date(now.getTime() + days * 86_400_000) : onePeriodAfter(now, plan.interval)
  const listed = {
    ...nothing(id, 'now'),
    lines: days > 0 ? [] : [{ text: periodText(ctx, id, seats), amount, proration: false }],
    due_now: days > 0 ? 0 : amount,
    next_date: next.toISOString(),
    next_amount: amount,
  }
  const customer = account.stripe_customer_id
  if (!code && !customer) return listed
  const promotion = code ? await promotionFor(ctx, code, { plan, customer, whole: days === 0 }) : null
  const items = await firstItems(ctx, plan, seats)
  const costs = (off: string | null) => orRefused(ctx, firstInvoice(ctx, customer, items, off))
  const whole = await costs(promotion?.id ?? null)
  const shown = { ...listed, promotion: promotion && describePromotion(promotion) }
  // Nothing is taken off a trial: what is good once is still good for the first period that costs something.
  if (days > 0) return { ...shown, next_amount: whole.amountDue }
  const credit = Math.max(0, -whole.balance)
  const then = !promotion || stillOff(promotion, now, next) ? whole : await costs(null)
  return {
    ...shown,
    discount: whole.discount,
    tax: whole.tax,
    due_now: whole.amountDue,
    credit,
    next_amount: Math.max(0, then.total - credit),
  }
}

/** Somebody whose customer is gone at the provider becomes a new one, who has nothing left of before. */
function firstInvoice(
  { outside: { payments } }: SignedIn,
  customer: string | null,
  items: Awaited<ReturnType<typeof firstItems>>,
  promotion: string | null,
): Promise<Preview> {
  return payments.previewFirst(customer, items, promotion).catch(error => {
    if (!customer || !isPaymentsError(error, 'missing') || error.param !== 'customer') throw error
    return payments.previewFirst(null, items, promotion)
  })
}

/** What a code stands for; refused at its field where it can't be used. */
async function promotionFor(ctx: SignedIn, code: string, purpose: Purpose): Promise<Promotion> {
  const found = await findPromotion(ctx, code, purpose)
  if (typeof found === 'string') throw codeRefusal(found)
  return found
}

const periodText = (ctx: SignedIn, id: PlanId, seats: number): string => {
  const plan = ctx.t(`plans.${id}`)
  return planOf(id).type === 'per_seat' ? ctx.t('preview.seats', { plan, seats }) : plan
}

type Change = {
  plan: PlanId
  seats: number
  from: string
  customer: string
  running: ProviderSubscription
  code: string | null
}

async function ofChange(ctx: SignedIn, asked: Change): Promise<PlanPreview> {
  const { plan, seats, customer, running, code } = asked
  const { payments } = ctx.outside
  // As the change itself does it: what was used but not told yet would be charged without having been shown.
  if (running.items.some(item => item.metered))
    await carryUsageOf(ctx, { account_id: ctx.actor.account_id, customer })
  const period = { start: running.periodStart, end: running.periodEnd }
  const proration_date = prorationDate(ctx.now(), undefined, period)
  const purpose = { plan: planOf(plan), customer, whole: false }
  const promotion = code ? await promotionFor(ctx, code, purpose) : null
  const promotion_id = promotion?.id ?? null
  const change = await changeOf(ctx, { plan, seats, proration_date, promotion_id }, running)
  const now = await orRefused(ctx, payments.previewChange(customer, running.id, change))
  const names = await priceNames(ctx)
  const base = {
    ...nothing(plan, 'now'),
    lines: now.lines.map(line => ({
      text: lineText(ctx, line, asked, change, names),
      amount: line.amount,
      proration: line.proration,
    })),
    discount: now.discount,
    promotion: promotion && describePromotion(promotion),
    tax: now.tax,
    currency: now.currency,
    proration_date: proration_date && proration_date.getTime() / 1000,
  }
  const prorations = prorationsOf(now)
  if (!change.bills) {
    const next_date = running.periodEnd?.toISOString() ?? null
    return { ...base, credit: Math.max(0, -prorations), next_date, next_amount: now.amountDue }
  }
  const credit = Math.max(0, -now.balance)
  const to = planOf(plan)
  const starts = change.endsTrial || to.interval !== running.interval
  const next_date = starts && to.interval ? onePeriodAfter(ctx.now(), to.interval) : running.periodEnd
  const left = await leftAt(ctx, next_date, { used: now.discount > 0, promotion, running })
  // The invoice after that, with taxes and discounts as the provider reckons them.
  const next = await orRefused(ctx, payments.previewRenewal(customer, running.id, change, left))
  return {
    ...base,
    due_now: now.amountDue,
    credit,
    next_date: next_date?.toISOString() ?? null,
    next_amount: Math.max(0, next.total - settledOf(next, running, change) - credit),
  }
}

/**
 * The discounts that are left when the next period begins: what is good once may be used by the change, and others end.
 * @param used whether the change's own invoice has something off
 * @returns null where that is all of them
 */
async function leftAt(
  ctx: SignedIn,
  at: Date | null,
  { used, promotion, running }: { used: boolean; promotion: Promotion | null; running: ProviderSubscription },
): Promise<string[] | null> {
  if (!at) return null
  if (promotion?.duration === 'once') return used ? [] : null
  if (promotion) return stillOff(promotion, ctx.now(), at) ? null : []
  if (!used) return null
  const standing = await ctx.outside.payments.discountsOf(running.id)
  return standing.filter(({ once, end }) => !once && (end === null || end > at)).map(({ id }) => id)
}

/** What we know of the provider no longer holds, such as a price: the next look finds it anew. */
function orRefused(ctx: SignedIn, look: Promise<Preview>): Promise<Preview> {
  return look.catch(error => {
    if (isPromotionRefused(error)) throw codeRefusal('promotion_code_unfit')
    if (!isPaymentsError(error, 'missing', 'rejected')) throw error
    ctx.log.error({ err: error }, 'a preview does not fit the provider any more')
    ctx.outside.payments.forgetPrices()
    throw new Refusal('payment_provider_down', { retryAfter: 5 })
  })
}

const prorationsOf = ({ lines }: Preview): number =>
  lines.filter(line => line.proration).reduce((sum, line) => sum + line.amount, 0)

/** What the change itself settles, so that the invoice after it has it no more: prorations, and usage of a price that goes. */
function settledOf({ lines }: Preview, { items }: ProviderSubscription, change: PlanChange): number {
  const gone = items.filter(({ id }) => change.items.some(item => item.id === id && item.deleted))
  const isGone = (price: string | null) => gone.some(item => item.price === price)
  return lines.filter(line => line.proration || isGone(line.price)).reduce((sum, line) => sum + line.total, 0)
}

/**
 * A line in the caller's language; one about a price that we don't know stays as the provider words it. An earlier
 * change may have left some of a third plan.
 */
function lineText(
  ctx: SignedIn,
  line: Preview['lines'][number],
  { plan, from, running }: Change,
  change: PlanChange,
  names: Map<string, PriceOf>,
): string {
  const old = running.items.find(item => item.price === line.price)
  const isNew = change.items.some(item => item.price === line.price)
  const other = names.get(line.price ?? '')
  const of = isNew ? plan : old && isPlanId(from) ? from : other?.plan
  if (!of) return line.text
  const name = ctx.t(`plans.${of}`)
  if (old?.metered || other?.metered || (isNew && line.price !== change.items[0]?.price))
    return ctx.t('preview.usage', { plan: name })
  if (!line.proration) return periodText(ctx, of, line.quantity)
  return ctx.t(line.amount < 0 ? 'preview.unused' : 'preview.rest', { plan: name })
}
