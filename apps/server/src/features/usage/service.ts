import { isPlanId, planOf } from '@plinth/contract/plans'
import type { AuthedContext, Tx } from '../../context.ts'
import { refuseMissingReference } from '../../lib/constraint-errors.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { Refusal } from '../../lib/refusal.ts'
import { consumeMonthlyUsage } from './allowance.ts'
import { mayHaveOccurred } from './rules.ts'
import * as store from './store.ts'

type Report = { quantity: number; identifier?: string; timestamp?: string }

/**
 * Stores a usage report; a job sends metered usage to the payment provider under the row's id. A repeated identifier
 * returns the first report, or is refused when the content differs.
 */
export async function recordUsage(ctx: AuthedContext, { quantity, identifier, timestamp }: Report) {
  const { account_id, api_key, plan } = ctx.actor
  const now = ctx.now()
  const occurred_at = timestamp ? new Date(timestamp) : now
  if (!mayHaveOccurred(occurred_at, now))
    throw new Refusal('invalid_input', { field: 'timestamp', text: 'usage.timestamp' })
  const id = newId(now.getTime())
  const meter = isPlanId(plan) ? (planOf(plan).metered?.event_name ?? null) : null
  const row = { id, account_id, identifier: identifier ?? id, quantity, occurred_at, created_at: now, meter }
  const insertOnce = async (tx: Tx) => {
    if (await store.insertUsage(tx, { ...row, api_key_id: api_key?.id ?? null })) {
      await consumeMonthlyUsage(ctx, tx, quantity)
      return row
    }
    const first = invariant(await store.findUsage(tx, account_id, row.identifier), 'the first report')
    const same =
      first.quantity === quantity && (!timestamp || first.occurred_at.getTime() === occurred_at.getTime())
    if (!same) throw new Refusal('idempotency_key_reused', { field: 'identifier' })
    return first
  }
  const stored = await ctx
    .within(insertOnce)
    .catch(refuseMissingReference(api_key ? 'key_unknown' : 'session_required'))
  return {
    id: stored.id,
    quantity: stored.quantity,
    identifier: stored.identifier,
    timestamp: stored.occurred_at.toISOString(),
  }
}
