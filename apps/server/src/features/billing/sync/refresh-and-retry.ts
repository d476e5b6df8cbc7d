import type { RefusalCode } from '@plinth/contract/refusals'
import type { AuthedContext } from '../../../context.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { findSubscription } from '../core/store.ts'
import { sync } from './sync.ts'

/**
 * Retries a call that the stored status refused, when a fresh read shows another status: support changed the
 * subscription at the provider, and the webhook has not arrived.
 */
export async function refreshAndRetry<T>(
  ctx: AuthedContext,
  { code, unless }: { code: RefusalCode; unless: (providerStatus: string) => boolean },
  decide: () => Promise<T>,
): Promise<T> {
  try {
    return await decide()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== code) throw error
    const { account_id } = ctx.actor
    const row = await ctx.within(tx => findSubscription(tx, account_id))
    if (!row?.provider_sub_id) throw error
    const subscription = await ctx.integrations.payments.readSubscription(row.provider_sub_id)
    if (!subscription || !unless(subscription.status)) throw error
    await sync(ctx, account_id, subscription.id)
    return decide()
  }
}
