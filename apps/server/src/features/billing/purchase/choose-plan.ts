import type { Quote } from '@plinth/contract'
import type { PlanId } from '@plinth/contract/plans'
import type { RefusalCode } from '@plinth/contract/refusals'
import type { AuthedContext } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { isPaymentsError } from '../../../integrations/stripe/payments.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { invariant } from '../../../lib/invariant.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { drive } from '../attempts/first-plan.ts'
import {
  acquireLease,
  assertOwnIntents,
  type Choice,
  leaseOpenAttempt,
  type PaidPlan,
  retryUntilFree,
  withLease,
} from '../attempts/lease.ts'
import { type Outcome, rollback } from '../attempts/rollback.ts'
import * as attempts from '../core/attempt-store.ts'
import { hasEnded, isLive } from '../core/rules.ts'
import * as store from '../core/store.ts'
import { recordPlanAudit } from '../mails/notify.ts'
import { withNewPlanQuote } from '../prices/preview.ts'
import { consumePromotionLimit, promotionRefusal } from '../prices/promotion.ts'
import { refreshAndRetry } from '../sync/refresh-and-retry.ts'
import { setFree } from '../sync/sync.ts'

export type Chosen = {
  plan: PlanId
  token?: string | null
  promotion_code?: string | null
  quote?: Quote | undefined
  payment_intent?: string
  setup_intent?: string
}

/**
 * Chooses the account's plan. Free is one transaction. Paid is an attempt: written first, carried out at the
 * provider outside any transaction, recorded from a fresh read. The browser's word is never the reason for anything.
 */
export async function choosePlan(ctx: AuthedContext, chosen: Chosen) {
  await consumePromotionLimit(ctx, chosen.promotion_code)
  return withNewPlanQuote(ctx, chosen, () => chooseAny(ctx, chosen))
}

/** The same for whoever has seen to the code's budget. */
export async function chooseAny(
  ctx: AuthedContext,
  { plan, token, promotion_code, quote, ...named }: Chosen,
) {
  const { confirmed, failure } = await assertOwnIntents(ctx, named)
  if (failure) throw refusalFor(failure)
  try {
    const code = promotion_code || null
    if (plan !== 'free')
      return await choosePaid(ctx, { plan, token: token || null, code, quote: quote ?? null, confirmed })
    if (code) throw promotionRefusal('promotion_code_unfit')
    return await chooseFree(ctx)
  } catch (error) {
    if (!isPaymentsError(error, 'down')) throw error
    ctx.log.warn({ err: error }, 'payment provider down')
    throw new Refusal('payment_provider_down', { retryAfter: 5 })
  }
}

const answer = (ctx: AuthedContext, plan: PlanId, subscription: string) => ({
  plan,
  subscription,
  onboarded: ctx.actor.onboarded,
})

async function chooseFree(ctx: AuthedContext): Promise<ReturnType<typeof answer>> {
  const { account_id, user_id } = ctx.actor
  const open = await ctx.within(async tx => {
    const account = invariant(await lockAccount(tx, account_id, user_id), 'the account')
    const known = await store.findSubscription(tx, account_id)
    if (isLive(known)) throw new Refusal('plan_taken', { field: 'plan' })
    const attempt = await attempts.findOpenAttempt(tx, account_id)
    if (attempt) return attempt
    if (account.plan === 'free' && known?.status === 'active') return null
    await setFree(ctx, tx, account_id)
    await recordPlanAudit(ctx, tx, { account_id, user_id, plan: 'free', network: ctx.request.network })
    crashPoint('choose_plan:free:before_commit')
    return null
  })
  if (!open) {
    crashPoint('choose_plan:free:after_commit')
    return answer(ctx, 'free', 'active')
  }
  // A payment that is still under way must not turn up later beside the free plan.
  const mine = await retryUntilFree(() => leaseOpenAttempt(ctx, { account_id, attempt_id: open.id }))
  if (mine) await giveUp(ctx, mine)
  return chooseFree(ctx)
}

export const giveUp = (ctx: AuthedContext, attempt: attempts.Attempt) =>
  withLease(ctx, attempt, () => rollback(ctx, attempt, 'payment_not_authorized'))

/** A first choice is refused while a subscription runs. */
const ended = { code: 'plan_taken', unless: hasEnded } as const

async function choosePaid(ctx: AuthedContext, choice: Choice) {
  for (;;) {
    const turn = await refreshAndRetry(ctx, ended, () => acquireLease(ctx, choice))
    if (turn.kind === 'standing') return answer(ctx, choice.plan, turn.status)
    if (turn.kind === 'refused') throw refusalFor(turn.code)
    if (turn.kind === 'drive') return pay(ctx, turn.attempt, choice.plan)
    // Another card or plan than the attempt that is open: that one goes first, then this one begins.
    await giveUp(ctx, turn.attempt)
  }
}

async function pay(ctx: AuthedContext, attempt: attempts.Attempt, plan: PaidPlan) {
  crashPoint('choose_plan:after_attempt_commit')
  const outcome = await withLease(ctx, attempt, () => drive(ctx, attempt))
  return answerTo(ctx, outcome, plan)
}

function answerTo(ctx: AuthedContext, outcome: Outcome, plan: PaidPlan) {
  switch (outcome.kind) {
    case 'done':
      return answer(ctx, plan, outcome.status)
    case 'action':
      return {
        requires_payment_action: true as const,
        client_secret: outcome.client_secret,
        kind: outcome.confirms,
      }
    case 'pending':
      throw new Refusal('operation_in_flight', { retryAfter: 2 })
    case 'refused':
      throw refusalFor(outcome.code)
  }
}

/** Everything that can be wrong with a payment is led to the card, unless it is the plan's or the code's fault. */
export function refusalFor(code: RefusalCode): Refusal {
  if (code === 'payment_provider_down') return new Refusal(code, { retryAfter: 5 })
  if (code === 'operation_in_flight') return new Refusal(code, { retryAfter: 2 })
  if (code === 'payment_rejected') return new Refusal(code)
  if (code === 'plan_taken' || code === 'payment_due' || code === 'collection_paused')
    return new Refusal(code, { field: 'plan' })
  if (code.startsWith('promotion_code_')) return promotionRefusal(code)
  if (code === 'invalid_input') return new Refusal(code, { field: 'token', text: 'refusals.card_required' })
  return new Refusal(code, { field: 'token' })
}
