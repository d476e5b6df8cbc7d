import type { RefusalCode } from '@plinth/contract/refusals'
import type { AuthedContext, Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { invariant } from '../../../lib/invariant.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as attempts from '../core/attempt-store.ts'
import { isLive, isRunning, isSamePromotionCode } from '../core/rules.ts'
import * as store from '../core/store.ts'
import { extendLease, isLeased, retryUntilFree } from './lease.ts'
import { type LiveSubscription, openCardChange, openFirstPlan, openPlanChange } from './open-attempt.ts'
import { isSameRequest, type PlanRequest } from './request.ts'

type Attempt = attempts.Attempt
type Account = NonNullable<Awaited<ReturnType<typeof lockAccount>>>
type Subscription = Awaited<ReturnType<typeof store.findSubscription>>

export type LeaseResult =
  | { kind: 'run'; attempt: Attempt }
  /** An attempt for another request is open: it is rolled back first. */
  | { kind: 'replace'; attempt: Attempt }
  /** The account already has the requested state. */
  | { kind: 'done'; status: string }
  /** No subscription runs that could be changed: a first plan is needed. */
  | { kind: 'first' }
  | { kind: 'refused'; code: RefusalCode }

/** The attempt for the same request that another call was working on. */
export type Waited = { for: string | null }

/**
 * Waits until no other call works on the account's payment, then opens or continues an attempt. A double click thus
 * gets the result of the first click.
 */
export function acquireLease(ctx: AuthedContext, request: PlanRequest): Promise<LeaseResult> {
  const waited: Waited = { for: null }
  return retryUntilFree(() => ctx.within(tx => tryToLease(ctx, tx, request, waited)))
}

async function tryToLease(
  ctx: AuthedContext,
  tx: Tx,
  request: PlanRequest,
  waited: Waited,
): Promise<LeaseResult | 'busy'> {
  const { account_id, user_id } = ctx.actor
  const account = invariant(await lockAccount(tx, account_id, user_id), 'the account')
  const row = await store.findSubscription(tx, account_id)
  const live = liveOf(row)
  if (request.kind === 'first' && live) return compareWithLivePlan(tx, live, request)
  const open = await attempts.findOpenAttempt(tx, account_id)
  if (open && isLeased(open, ctx.now())) {
    if (isSameRequest(open, request)) waited.for = open.id
    return 'busy'
  }
  const code = open ? null : await findRefusal(ctx, tx, waited, last => isSameRequest(last, request))
  if (code) return { kind: 'refused', code }
  if (request.kind === 'change' && !live && open?.kind !== 'change') return { kind: 'first' }
  if (open) {
    const attempt = { ...open, busy_until: await extendLease(ctx, tx, open) }
    return { kind: isSameRequest(open, request) ? 'run' : 'replace', attempt }
  }
  const attempt = await openAttempt(ctx, tx, { account, live }, request)
  return attempt ? { kind: 'run', attempt } : { kind: 'done', status: row?.status ?? 'active' }
}

const liveOf = (row: Subscription): LiveSubscription | null =>
  row && isLive(row) && row.provider_sub_id ? { ...row, provider_sub_id: row.provider_sub_id } : null

function openAttempt(
  ctx: AuthedContext,
  tx: Tx,
  { account, live }: { account: Account; live: LiveSubscription | null },
  request: PlanRequest,
): Promise<Attempt | null> {
  switch (request.kind) {
    case 'first':
      return openFirstPlan(ctx, tx, account, request)
    case 'change':
      return openPlanChange(ctx, tx, invariant(live, 'a subscription'), request)
    case 'card':
      return openCardChange(ctx, tx, { account, live }, request)
  }
}

/** A repeated choice of the running plan is done; any other one is refused. */
async function compareWithLivePlan(
  tx: Tx,
  live: LiveSubscription,
  { plan, token, code }: PlanRequest,
): Promise<LeaseResult> {
  // Neither a card for an unpaid plan nor another code may be ignored silently: nothing here would use them.
  const hasUnusedCard = token !== null && !isRunning(live.status)
  const hasUnusedCode =
    code !== null && !isSamePromotionCode(code, await attempts.findLastCode(tx, live.account_id))
  if (live.plan === plan && !hasUnusedCard && !hasUnusedCode) return { kind: 'done', status: live.status }
  throw new Refusal('plan_taken', { field: 'plan' })
}

/**
 * Finds the refusal of an attempt for the same request that failed after this call began, so that a double click asks
 * the bank once. Runs under the account's lock while no attempt is open.
 *
 * A call that waited for an attempt uses its result. Otherwise times are compared, and times in the future are ignored,
 * because the clocks of two servers differ.
 */
export async function findRefusal(
  ctx: { actor: { account_id: string }; request: { startedAt: Date }; now(): Date },
  tx: Tx,
  waited: Waited,
  isSame: (attempt: Attempt) => boolean,
): Promise<RefusalCode | null> {
  const { account_id } = ctx.actor
  const own = waited.for === null ? null : await attempts.findAttempt(tx, account_id, waited.for)
  const refusal = own && refusalOf(own)
  if (refusal) return refusal
  const last = await attempts.findLastAttempt(tx, account_id)
  if (!last || !isSame(last)) return null
  const failedSince = last.updated_at > ctx.request.startedAt && last.updated_at <= ctx.now()
  return failedSince ? refusalOf(last) : null
}

/** Null for an attempt that was rolled back because the provider was down: a retry may succeed. */
const refusalOf = ({ failure }: Attempt): RefusalCode | null =>
  failure === 'payment_provider_down' ? null : (failure as RefusalCode | null) // as: only failAttempt writes it, from a code
