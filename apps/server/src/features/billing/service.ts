import { currencySymbol } from '@plinth/contract/money'
import { isPlanId, type PlanId, planIds, planOf } from '@plinth/contract/plans'
import type { AuthedContext } from '../../context.ts'
import { countMembers } from '../../identity/account-store.ts'
import { isLive } from './core/rules.ts'
import * as store from './core/store.ts'
import { readDueAndQuote } from './invoices/amount-due.ts'
import { planLabel } from './prices/rules.ts'
import { quoteSeat } from './seats/seat-price.ts'

export async function listPlans(ctx: AuthedContext) {
  const { account, row } = await ctx.within(async tx => ({
    account: await store.findAccount(tx, ctx.actor.account_id),
    row: await store.findSubscription(tx, ctx.actor.account_id),
  }))
  // A plan change has no trial.
  const mayTry = account.trialed_at === null && !isLive(row)
  const plans = planIds.map(id => describe(ctx, id, mayTry))
  const active = isPlanId(account.plan) ? account.plan : null
  return { plans, active, list: plans.map(({ id, label }) => ({ value: id, label })), raw: plans }
}

function describe(ctx: AuthedContext, id: PlanId, mayTry: boolean) {
  const plan = planOf(id)
  const name = ctx.t(`plans.${id}`)
  const { price, interval, type, trial_days, entitlements } = plan
  return {
    id,
    name,
    price,
    interval,
    currency: { code: plan.currency, symbol: currencySymbol(plan.currency) },
    type,
    trial_days,
    trial_available: trial_days > 0 && mayTry,
    label: planLabel(plan, name, interval && ctx.t(`plans.per.${interval}`)),
    entitlements,
  }
}

/** Every field is empty or 0 before the first plan. */
export async function readSubscription(ctx: AuthedContext) {
  const { account_id } = ctx.actor
  const { account, row, members } = await ctx.within(async tx => ({
    account: await store.findAccount(tx, account_id),
    row: await store.findSubscription(tx, account_id),
    members: await countMembers(tx, account_id),
  }))
  const plan = isPlanId(row?.plan) ? row.plan : null
  const offer = planOf(plan ?? 'free')
  const bySeat = offer.type === 'per_seat'
  const unitPrice = row?.seat_price ?? 0
  const time = (value: Date | null | undefined) => value?.toISOString() ?? null
  return {
    status: row?.status ?? null,
    plan,
    cancel_at_period_end: row?.cancel_at_period_end ?? false,
    current_period_start: time(row?.current_period_start),
    current_period_end: time(row?.current_period_end),
    trial_end: time(row?.trial_end),
    pending_plan: isPlanId(row?.pending_plan) ? row.pending_plan : null,
    // Counted here, because the provider gets changes within a minute.
    seats: members,
    // The unit price is per seat on a plan sold by the seat, otherwise for the whole plan.
    seat_price: bySeat ? unitPrice : 0,
    base_price: bySeat ? members * unitPrice : unitPrice,
    ...(await readDueAndQuote(ctx, account.stripe_customer_id, row)),
    collection_paused: row?.collection_paused ? { until: time(row.collection_resumes_at) } : null,
    seat_quote: quoteSeat(account_id, row),
    currency_symbol: currencySymbol(offer.currency),
    interval: offer.interval,
  }
}
