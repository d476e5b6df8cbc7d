import type { Quote } from '@plinth/contract'
import type { PlanId } from '@plinth/contract/plans'
import type { AuthedContext } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { invariant } from '../../../lib/invariant.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { leaseOpenAttempt, retryUntilFree } from '../attempts/lease.ts'
import { confirmationReply, refusalFor } from '../attempts/reply.ts'
import { assertOwnIntents, type PaidPlan, type PlanRequest } from '../attempts/request.ts'
import { abandonAttempt, runRequest } from '../attempts/run-request.ts'
import { findOpenAttempt } from '../core/attempt-store.ts'
import { mapUnavailable } from '../core/provider-errors.ts'
import { isLive } from '../core/rules.ts'
import * as store from '../core/store.ts'
import { recordPlanAudit } from '../mails/notify.ts'
import { withNewPlanQuote } from '../prices/preview.ts'
import { consumePromotionLimit, promotionRefusal } from '../prices/promotion.ts'
import { setFree } from '../sync/sync.ts'

export type Choice = {
  plan: PlanId
  token?: string | null
  promotion_code?: string | null
  quote?: Quote | undefined
  payment_intent?: string
  setup_intent?: string
}

/** Chooses the account's first plan. See docs/billing.md. */
export async function choosePlan(ctx: AuthedContext, choice: Choice) {
  await consumePromotionLimit(ctx, choice.promotion_code)
  return withNewPlanQuote(ctx, choice, () => applyChoice(ctx, choice))
}

/** The same for a caller that has consumed the rate limit of promotion codes. */
export async function applyChoice(
  ctx: AuthedContext,
  { plan, token, promotion_code, quote, ...named }: Choice,
) {
  const { confirmed, failure } = await assertOwnIntents(ctx, named)
  if (failure) throw refusalFor(failure)
  const code = promotion_code || null
  return mapUnavailable(ctx, () => {
    if (plan !== 'free')
      return choosePaid(ctx, plan, { token: token || null, code, quote: quote ?? null, confirmed })
    if (code) throw promotionRefusal('promotion_code_unfit')
    return chooseFree(ctx)
  })
}

const reply = (ctx: AuthedContext, plan: PlanId, subscription: string) => ({
  plan,
  subscription,
  onboarded: ctx.actor.onboarded,
})

async function choosePaid(
  ctx: AuthedContext,
  plan: PaidPlan,
  asked: Pick<PlanRequest, 'token' | 'code' | 'quote' | 'confirmed'>,
) {
  const outcome = await runRequest(ctx, { kind: 'first', plan, ...asked })
  return outcome.kind === 'done' ? reply(ctx, plan, outcome.status) : confirmationReply(outcome)
}

async function chooseFree(ctx: AuthedContext): Promise<ReturnType<typeof reply>> {
  const { account_id, user_id } = ctx.actor
  const open = await ctx.within(async tx => {
    const account = invariant(await lockAccount(tx, account_id, user_id), 'the account')
    const row = await store.findSubscription(tx, account_id)
    if (isLive(row)) throw new Refusal('plan_taken', { field: 'plan' })
    const attempt = await findOpenAttempt(tx, account_id)
    if (attempt) return attempt
    if (account.plan === 'free' && row?.status === 'active') return null
    await setFree(ctx, tx, account_id)
    await recordPlanAudit(ctx, tx, { account_id, user_id, plan: 'free', network: ctx.request.network })
    return null
  })
  if (!open) return reply(ctx, 'free', 'active')
  // An open payment must not succeed later beside the free plan.
  const leased = await retryUntilFree(() => leaseOpenAttempt(ctx, { account_id, attempt_id: open.id }))
  if (leased) await abandonAttempt(ctx, leased)
  return chooseFree(ctx)
}
