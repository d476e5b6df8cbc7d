import { cheapestPlanFor, isPlanId, planOf } from '@plinth/contract/plans'
import type { AuthedContext, Tx } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { monthOf } from './rules.ts'
import { addMonthlyUsage } from './store.ts'

/** Adds an amount to the usage of the month. At the plan's limit it refuses, and names a plan that allows more. */
export async function consumeMonthlyUsage({ actor, now }: AuthedContext, tx: Tx, amount: number) {
  const limit = isPlanId(actor.plan) ? planOf(actor.plan).entitlements.events : 0
  // A plan without a limit is not counted, because concurrent calls would wait for the row of the month.
  if (limit === null) return
  if (await addMonthlyUsage(tx, actor.account_id, { month: monthOf(now()), amount, limit })) return
  throw new Refusal('limit_reached', {
    text: 'usage.limit_reached',
    values: { count: limit },
    plan: cheapestPlanFor('events', limit + 1) ?? undefined,
  })
}
