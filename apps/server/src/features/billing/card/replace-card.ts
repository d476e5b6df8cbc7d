import type { HandlerInput, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import type { AuthedContext } from '../../../context.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { confirmationReply, refusalFor } from '../attempts/reply.ts'
import { assertOwnIntents } from '../attempts/request.ts'
import { runRequest } from '../attempts/run-request.ts'
import { mapUnavailable } from '../core/provider-errors.ts'
import { readSavedCard } from '../core/saved-card.ts'
import { findSubscription } from '../core/store.ts'
import { quoteCard } from '../prices/quote.ts'

type Replaced = Reply<(typeof billing)['replaceCard']>

/** Replaces the charged card, and pays the amount due with the new one. See docs/billing.md. */
export async function replaceCard(
  ctx: AuthedContext,
  { token, quote, ...named }: HandlerInput<(typeof billing)['replaceCard']>['body'],
): Promise<Replaced> {
  const { confirmed, failure } = await assertOwnIntents(ctx, named)
  if (failure) throw refusalFor(failure)
  const asked = { token: token || null, code: null, quote: quote ?? null, confirmed }
  return mapUnavailable(ctx, () =>
    withNewCardQuote(ctx, async () => {
      const outcome = await runRequest(ctx, { kind: 'card', plan: null, ...asked })
      return outcome.kind === 'done' ? readSavedCard(ctx, ctx.actor.account_id) : confirmationReply(outcome)
    }),
  )
}

/** When the amount due has changed, the refusal carries the new quote. */
function withNewCardQuote<T>(ctx: AuthedContext, call: () => Promise<T>): Promise<T> {
  return call().catch(async error => {
    if (!(error instanceof Refusal) || error.code !== 'price_changed') throw error
    const { account_id } = ctx.actor
    const id = (await ctx.within(tx => findSubscription(tx, account_id)))?.provider_sub_id
    const due = id ? await ctx.integrations.payments.readDueNow(id) : null
    throw new Refusal('price_changed', { data: { quote: quoteCard(account_id, due) } })
  })
}
