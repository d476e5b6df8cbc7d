import { planOf } from '@plinth/contract/plans'
import type { AuthedContext, Tx } from '../../../context.ts'
import { countMembers } from '../../../identity/account-store.ts'
import { newId } from '../../../lib/ids.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as attempts from '../core/attempt-store.ts'
import { isRunning, isSamePromotionCode, seatsFor } from '../core/rules.ts'
import type * as store from '../core/store.ts'
import { promotionRefusal } from '../prices/promotion.ts'
import { quotedColumns } from '../prices/quote.ts'
import { prorationDate } from '../prices/rules.ts'
import { leaseUntil } from './lease.ts'
import type { PlanRequest } from './request.ts'

type Attempt = attempts.Attempt
type Account = { id: string; trialed_at: Date | null; stripe_customer_id: string | null }
type Subscription = NonNullable<Awaited<ReturnType<typeof store.findSubscription>>>
export type LiveSubscription = Subscription & { provider_sub_id: string }
type Request<K extends PlanRequest['kind']> = Extract<PlanRequest, { kind: K }>

/** Null when the account already has the requested state. */
type Opened = Attempt | null

export async function openFirstPlan(
  ctx: AuthedContext,
  tx: Tx,
  account: Account,
  { plan: id, token, code, quote }: Request<'first'>,
): Promise<Opened> {
  if (!token) throw new Refusal('card_required', { field: 'token' })
  const plan = planOf(id)
  return insertAttempt(ctx, tx, {
    kind: 'first',
    plan: id,
    seats: seatsFor(plan, await countMembers(tx, account.id)),
    trial_days: account.trialed_at ? 0 : plan.trial_days,
    card_token: token,
    promotion_code: code,
    ...quotedColumns(quote),
  })
}

export async function openCardChange(
  ctx: AuthedContext,
  tx: Tx,
  { account, live }: { account: Account; live: LiveSubscription | null },
  { token, quote, confirmed }: Request<'card'>,
): Promise<Opened> {
  const isKnown = token !== null && token === (await attempts.findLastCard(tx, account.id))
  if (!account.stripe_customer_id) throw new Refusal('card_unneeded', { field: 'token' })
  if (isKnown || (!token && confirmed)) return null
  if (!token) throw new Refusal('card_required', { field: 'token' })
  return insertAttempt(ctx, tx, {
    ...{ kind: 'card', plan: null, seats: 1, trial_days: 0, card_token: token },
    ...quotedColumns(quote),
    provider_sub_id: live?.provider_sub_id ?? null,
  })
}

export async function openPlanChange(
  ctx: AuthedContext,
  tx: Tx,
  live: LiveSubscription,
  { plan, token: given, code, quote, previewed }: Request<'change'>,
): Promise<Opened> {
  const { account_id, current_period_start: start, current_period_end: end } = live
  // A repeated call names a card that is already charged.
  const isKnown = given !== null && given === (await attempts.findLastCard(tx, account_id))
  const token = isKnown ? null : given
  const isSamePlan = plan === live.plan
  // The code would reduce nothing; ignoring it silently would mislead the user.
  if (isSamePlan && code && !isSamePromotionCode(code, await attempts.findLastCode(tx, account_id)))
    throw promotionRefusal('promotion_code_unfit')
  const isInForce = plan === 'free' ? live.pending_plan === 'free' : isSamePlan && !live.cancel_at_period_end
  if (!token && isInForce) return null
  if (plan !== 'free' && !isSamePlan && !isRunning(live.provider_status))
    throw new Refusal('payment_due', { field: 'plan' })
  return insertAttempt(ctx, tx, {
    kind: 'change',
    plan,
    from_plan: live.plan,
    seats: seatsFor(planOf(plan), await countMembers(tx, account_id)),
    trial_days: 0,
    card_token: token,
    promotion_code: isSamePlan ? null : code,
    provider_sub_id: live.provider_sub_id,
    ...quotedColumns(quote),
    proration_date: prorationDate(
      ctx.now(),
      previewed,
      { start, end },
      ctx.config.payments.sandboxUrl !== null,
    ),
  })
}

type Columns = Omit<
  attempts.NewAttempt,
  'id' | 'account_id' | 'user_id' | 'network' | 'busy_until' | 'created_at'
>

/** Inserts a leased attempt, before the provider is called, together with the job that settles it after a crash. */
async function insertAttempt(ctx: AuthedContext, tx: Tx, columns: Columns): Promise<Attempt> {
  const now = ctx.now()
  const { account_id, user_id } = ctx.actor
  const attempt = await attempts.insertAttempt(tx, {
    ...columns,
    id: newId(now.getTime()),
    account_id,
    user_id,
    network: ctx.request.network,
    busy_until: leaseUntil(now),
    created_at: now,
  })
  const data = { account_id, attempt_id: attempt.id }
  await ctx.enqueue(tx, 'billing.settle', data, {
    afterSeconds: ctx.config.settleAfterSeconds,
    key: attempt.id,
  })
  return attempt
}
