import type { Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import { isPlanId, planOf } from '@plinth/contract/plans'
import type { AuthedContext } from '../../../context.ts'
import { countMembers } from '../../../identity/account-store.ts'
import { mapUnavailable } from '../core/provider-errors.ts'
import { isLive, isRunning, seatsFor } from '../core/rules.ts'
import * as store from '../core/store.ts'

type Upcoming = Reply<(typeof billing)['upcoming']>

/**
 * Previews the next payment, or the last one of a plan that ends, and the remaining credit.
 * @param further.seats seats to add, on a plan that is paid per seat
 */
export function readUpcoming(ctx: AuthedContext, further: { seats?: number | undefined }): Promise<Upcoming> {
  return mapUnavailable(ctx, async () => {
    const { account_id } = ctx.actor
    const { account, row, members } = await ctx.within(async tx => ({
      account: await store.findAccount(tx, account_id),
      row: await store.findSubscription(tx, account_id),
      members: await countMembers(tx, account_id),
    }))
    const { stripe_customer_id: customer } = account
    if (!customer)
      return {
        credit: 0,
        currency: planOf('free').currency,
        prorated: 0,
        date: null,
        amount: null,
        draft: null,
      }
    const pays = row && isLive(row) && isRunning(row.provider_status)
    const plan = row && isPlanId(row.plan) ? planOf(row.plan) : null
    const added = plan?.type === 'per_seat' ? (further.seats ?? 0) : 0
    const seats = plan ? seatsFor(plan, members) + added : null
    // Joined and removed members reach the provider within a minute and are already in the price.
    const isPending = added > 0 || (!row?.cancel_at_period_end && seats !== row?.seats)
    const waiting = pays && isPending ? seats : null
    const found = await ctx.integrations.payments.upcomingOf(
      customer,
      pays ? row.provider_sub_id : null,
      waiting,
    )
    // A last invoice that credit covers charges nothing.
    const amount = row?.cancel_at_period_end ? found.amount || null : found.amount
    const date = amount === null ? null : (row?.current_period_end?.toISOString() ?? null)
    return { ...found, amount, date }
  })
}
