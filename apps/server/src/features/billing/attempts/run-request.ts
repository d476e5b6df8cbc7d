import type { AuthedContext } from '../../../context.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import type { Attempt } from '../core/attempt-store.ts'
import { hasEnded, isLive, isRunning } from '../core/rules.ts'
import { findSubscription } from '../core/store.ts'
import { refreshAndRetry } from '../sync/refresh-and-retry.ts'
import { acquireLease } from './acquire-lease.ts'
import { withLease } from './lease.ts'
import type { PlanRequest } from './request.ts'
import { rollback } from './rollback.ts'
import { runAttempt } from './run-attempt.ts'
import type { Outcome } from './step.ts'

/** Refusals by the stored status that a fresh read of the provider can lift. */
const liftable = {
  first: { code: 'plan_taken', unless: hasEnded },
  change: { code: 'payment_due', unless: isRunning },
  card: null,
} as const

type ChangeRequest = Extract<PlanRequest, { kind: 'change' }>
type NoPlan = { kind: 'first' }

/**
 * Runs the request of a call. An open attempt for another request is rolled back first.
 * @returns `first` when there is no subscription to change
 */
export function runRequest(ctx: AuthedContext, request: ChangeRequest): Promise<Outcome | NoPlan>
export function runRequest(ctx: AuthedContext, request: Exclude<PlanRequest, ChangeRequest>): Promise<Outcome>
export async function runRequest(ctx: AuthedContext, request: PlanRequest): Promise<Outcome | NoPlan> {
  const rule = liftable[request.kind]
  const acquire = () => acquireLease(ctx, request)
  for (;;) {
    const lease = rule ? await refreshAndRetry(ctx, rule, acquire) : await acquire()
    if (lease.kind === 'replace') await abandonAttempt(ctx, lease.attempt)
    else if (lease.kind === 'run') return runLeased(ctx, request, lease.attempt)
    else return lease
  }
}

async function runLeased(
  ctx: AuthedContext,
  { kind }: PlanRequest,
  attempt: Attempt,
): Promise<Outcome | NoPlan> {
  crashPoint('attempt:after_commit')
  const outcome = await withLease(ctx, attempt, () => runAttempt(ctx, attempt, { charging: true }))
  // The subscription has ended at the provider.
  if (kind === 'change' && outcome.kind === 'refused' && !(await hasLivePlan(ctx))) return { kind: 'first' }
  return outcome
}

const hasLivePlan = async (ctx: AuthedContext) =>
  isLive(await ctx.within(tx => findSubscription(tx, ctx.actor.account_id)))

/** Rolls a leased attempt back because the user asked for something else. */
export const abandonAttempt = (ctx: AuthedContext, attempt: Attempt): Promise<Outcome> =>
  withLease(ctx, attempt, () => rollback(ctx, attempt, 'payment_not_authorized'))
