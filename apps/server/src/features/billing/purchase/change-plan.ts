import type { HandlerInput, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import { isPlanId } from '@plinth/contract/plans'
import type { AuthedContext } from '../../../context.ts'
import { invariant } from '../../../lib/invariant.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { confirmationReply, refusalFor } from '../attempts/reply.ts'
import { assertOwnIntents } from '../attempts/request.ts'
import { runRequest } from '../attempts/run-request.ts'
import { mapUnavailable } from '../core/provider-errors.ts'
import { findSubscription } from '../core/store.ts'
import { withNewPlanQuote } from '../prices/preview.ts'
import { consumePromotionLimit, promotionRefusal } from '../prices/promotion.ts'
import { prorationSecondOf } from '../prices/quote.ts'
import { applyChoice } from './choose-plan.ts'

type Input = HandlerInput<(typeof billing)['changePlan']>['body']
type Changed = Reply<(typeof billing)['changePlan']>

/** Changes the plan of a running subscription, or chooses a first plan when none runs. See docs/billing.md. */
export async function changePlan(ctx: AuthedContext, input: Input): Promise<Changed> {
  const { plan, token, promotion_code, payment_intent, setup_intent } = input
  if (plan === 'free' && promotion_code) throw promotionRefusal('promotion_code_unfit')
  await consumePromotionLimit(ctx, promotion_code)
  const { confirmed, failure } = await assertOwnIntents(ctx, { payment_intent, setup_intent })
  if (failure) throw refusalFor(failure)
  const quote = input.quote ?? null
  const previewed = input.proration_date ?? (quote ? prorationSecondOf(quote) : undefined)
  const asked = { token: token || null, code: promotion_code || null, quote, previewed, confirmed }
  return mapUnavailable(ctx, () =>
    withNewPlanQuote(ctx, input, async () => {
      const outcome = await runRequest(ctx, { kind: 'change', plan, ...asked })
      if (outcome.kind === 'first') return chooseFirst(ctx, input)
      return outcome.kind === 'done' ? readChanged(ctx) : confirmationReply(outcome)
    }),
  )
}

/** Moves to a paid plan with a new card, from any state of the account. */
export async function upgrade(
  ctx: AuthedContext,
  input: HandlerInput<(typeof billing)['upgrade']>['body'],
): Promise<Changed> {
  if (input.plan === 'free') {
    const values = { label: ctx.t('fields.plan') }
    throw new Refusal('invalid_input', { field: 'plan', text: 'form.invalid', values })
  }
  if (!input.token && !input.payment_intent && !input.setup_intent)
    throw new Refusal('card_required', { field: 'token' })
  return changePlan(ctx, input)
}

async function chooseFirst(ctx: AuthedContext, input: Input): Promise<Changed> {
  const { proration_date: _, ...choice } = input
  const reply = await applyChoice(ctx, choice)
  if ('requires_payment_action' in reply) return reply
  return { plan: reply.plan, subscription: reply.subscription, pending_plan: null }
}

async function readChanged(ctx: AuthedContext): Promise<Changed> {
  const row = invariant(await ctx.within(tx => findSubscription(tx, ctx.actor.account_id)), 'a subscription')
  if (!isPlanId(row.plan)) throw new Error(`Unknown plan: ${row.plan}`)
  return {
    plan: row.plan,
    subscription: row.status,
    pending_plan: isPlanId(row.pending_plan) ? row.pending_plan : null,
  }
}
