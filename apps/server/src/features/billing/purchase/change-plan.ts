import type { HandlerInput, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import { isPlanId, type PlanId } from '@plinth/contract/plans'
import type { AuthedContext } from '../../../context.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { invariant } from '../../../lib/invariant.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { takeChange, type Wish } from '../attempts/change-lease.ts'
import { assertOwnIntents, withLease } from '../attempts/lease.ts'
import { carryOut } from '../attempts/plan-change.ts'
import type { Outcome } from '../attempts/rollback.ts'
import { mapUnavailable } from '../core/provider-errors.ts'
import { isLive, isRunning } from '../core/rules.ts'
import * as store from '../core/store.ts'
import { withNewPlanQuote } from '../prices/preview.ts'
import { consumePromotionLimit, promotionRefusal } from '../prices/promotion.ts'
import { prorationSecondOf } from '../prices/quote.ts'
import { refreshAndRetry } from '../sync/refresh-and-retry.ts'
import { chooseAny, giveUp, refusalFor } from './choose-plan.ts'

type Input = HandlerInput<(typeof billing)['changePlan']>['body']
type Changed = Reply<(typeof billing)['changePlan']>

/**
 * Changes the plan of a running subscription, or chooses one where none runs. A change is an attempt, as the first
 * choice is: written first, carried out at the provider outside any transaction, in force when a fresh read says so.
 */
export async function changePlan(ctx: AuthedContext, asked: Input): Promise<Changed> {
  const { plan, token, promotion_code, payment_intent, setup_intent } = asked
  if (plan === 'free' && promotion_code) throw promotionRefusal('promotion_code_unfit')
  await consumePromotionLimit(ctx, promotion_code)
  const { confirmed, failure } = await assertOwnIntents(ctx, { payment_intent, setup_intent })
  if (failure) throw refusalFor(failure)
  const quote = asked.quote ?? null
  const previewed = asked.proration_date ?? (quote ? prorationSecondOf(quote) : undefined)
  const wish = { plan, token: token || null, code: promotion_code || null, quote, previewed, confirmed }
  return mapUnavailable(ctx, () => withNewPlanQuote(ctx, asked, () => change(ctx, wish, asked)))
}

/** Moves to a paid plan with a new card, from wherever the account stands. */
export async function upgrade(
  ctx: AuthedContext,
  asked: HandlerInput<(typeof billing)['upgrade']>['body'],
): Promise<Changed> {
  if (asked.plan === 'free') {
    const values = { label: ctx.t('fields.plan') }
    throw new Refusal('invalid_input', { field: 'plan', text: 'form.invalid', values })
  }
  if (!asked.token && !asked.payment_intent && !asked.setup_intent)
    throw new Refusal('card_required', { field: 'token' })
  return changePlan(ctx, asked)
}

/** A change is refused while a payment is due. */
const settled = { code: 'payment_due', unless: isRunning } as const

async function change(ctx: AuthedContext, wish: Wish & { plan: PlanId }, asked: Input): Promise<Changed> {
  for (;;) {
    const turn = await refreshAndRetry(ctx, settled, () => takeChange(ctx, wish))
    switch (turn.kind) {
      case 'first':
        return chooseFirst(ctx, asked)
      case 'standing':
        return stateOf(ctx)
      case 'refused':
        throw refusalFor(turn.code)
      case 'drive': {
        crashPoint('change_plan:after_attempt_commit')
        const { attempt } = turn
        const outcome = await withLease(ctx, attempt, () => carryOut(ctx, attempt, true))
        // The subscription had ended at the provider: choose the plan as a first one.
        if (outcome.kind === 'refused' && !(await isStillLive(ctx))) return chooseFirst(ctx, asked)
        return answerTo(ctx, outcome)
      }
      case 'replace':
        // Another wish than the one that is open: that one goes first, then this one begins.
        await giveUp(ctx, turn.attempt)
    }
  }
}

async function chooseFirst(ctx: AuthedContext, asked: Input): Promise<Changed> {
  const { proration_date: _, ...choice } = asked
  const answer = await chooseAny(ctx, choice)
  if ('requires_payment_action' in answer) return answer
  return { plan: answer.plan, subscription: answer.subscription, pending_plan: null }
}

const isStillLive = async (ctx: AuthedContext) =>
  isLive(await ctx.within(tx => store.findSubscription(tx, ctx.actor.account_id)))

/** The plan in force, read after the change. */
async function stateOf(ctx: AuthedContext): Promise<Changed> {
  const row = invariant(
    await ctx.within(tx => store.findSubscription(tx, ctx.actor.account_id)),
    'a subscription',
  )
  if (!isPlanId(row.plan)) throw new Error(`No plan of ours: ${row.plan}`)
  return {
    plan: row.plan,
    subscription: row.status,
    pending_plan: isPlanId(row.pending_plan) ? row.pending_plan : null,
  }
}

function answerTo(ctx: AuthedContext, outcome: Outcome): Promise<Changed> | Changed {
  return outcome.kind === 'done' ? stateOf(ctx) : haltedAnswer(outcome)
}

/** What is answered to an attempt that has not come to its good end. */
export function haltedAnswer(outcome: Exclude<Outcome, { kind: 'done' }>) {
  if (outcome.kind === 'refused') throw refusalFor(outcome.code)
  if (outcome.kind === 'pending') throw new Refusal('operation_in_flight', { retryAfter: 2 })
  const { client_secret, confirms: kind } = outcome
  return { requires_payment_action: true as const, client_secret, kind }
}
