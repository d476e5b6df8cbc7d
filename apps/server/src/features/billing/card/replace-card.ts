import type { HandlerInput, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import type { AuthedContext } from '../../../context.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { replace } from '../attempts/card-change.ts'
import { takeChange, type Wish } from '../attempts/change-lease.ts'
import { assertOwnIntents, withLease } from '../attempts/lease.ts'
import type * as attempts from '../core/attempt-store.ts'
import { mapUnavailable } from '../core/provider-errors.ts'
import { savedCard } from '../core/saved-card.ts'
import * as store from '../core/store.ts'
import { quoteCard } from '../prices/quote.ts'
import { haltedAnswer } from '../purchase/change-plan.ts'
import { giveUp, refusalFor } from '../purchase/choose-plan.ts'

type Replaced = Reply<(typeof billing)['replaceCard']>

/** Puts another card in place of the one that is charged, and pays with it what is due. */
export async function replaceCard(
  ctx: AuthedContext,
  { token, quote, ...named }: HandlerInput<(typeof billing)['replaceCard']>['body'],
): Promise<Replaced> {
  const { confirmed, failure } = await assertOwnIntents(ctx, named)
  if (failure) throw refusalFor(failure)
  const wish = { plan: null, token: token || null, code: null, quote: quote ?? null, confirmed }
  return mapUnavailable(ctx, () => withNewCardQuote(ctx, () => put(ctx, wish)))
}

/** Where what is due has changed, the refusal says what it is now. */
function withNewCardQuote<T>(ctx: AuthedContext, call: () => Promise<T>): Promise<T> {
  return call().catch(async error => {
    if (!(error instanceof Refusal) || error.code !== 'price_changed') throw error
    const { account_id } = ctx.actor
    const id = (await ctx.within(tx => store.findSubscription(tx, account_id)))?.provider_sub_id
    const due = id ? await ctx.outside.payments.readDueNow(id) : null
    throw new Refusal('price_changed', { data: { quote: quoteCard(account_id, due) } })
  })
}

async function put(ctx: AuthedContext, wish: Wish): Promise<Replaced> {
  for (;;) {
    const turn = await takeChange(ctx, wish)
    if (turn.kind === 'refused') throw refusalFor(turn.code)
    if (turn.kind === 'drive') return driveCard(ctx, turn.attempt)
    if (turn.kind !== 'replace') return savedCard(ctx, ctx.actor.account_id)
    // Another card or plan than the one that is open: that one goes first, then this one begins.
    await giveUp(ctx, turn.attempt)
  }
}

async function driveCard(ctx: AuthedContext, attempt: attempts.Attempt): Promise<Replaced> {
  crashPoint('replace_card:after_attempt_commit')
  const outcome = await withLease(ctx, attempt, () => replace(ctx, attempt, true))
  return outcome.kind === 'done' ? savedCard(ctx, attempt.account_id) : haltedAnswer(outcome)
}
