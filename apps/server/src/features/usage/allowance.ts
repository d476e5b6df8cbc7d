import { cheapestPlanFor, isPlanId, planOf } from '@plinth/contract/plans'
import type { AuthedContext, Tx } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { monthOf } from './rules.ts'
import { addToMonth } from './store.ts'

/** Counts an amount towards the plan's monthly limit, or refuses and names the plan that allows more. */
export async function takeFromMonth({ actor, now }: AuthedContext, tx: Tx, amount: number) {
  const limit = isPlanId(actor.plan) ? planOf(actor.plan).entitlements.events : 0
  // A plan without a limit pays per use. Counting would only make concurrent calls wait for one row.
  if (limit === null) return
  if (await addToMonth(tx, actor.account_id, { month: monthOf(now()), amount, limit })) return
  throw new Refusal('limit_reached', {
    text: 'usage.limit_reached',
    values: { count: limit },
    plan: cheapestPlanFor('events', limit + 1) ?? undefined,
  })
}
