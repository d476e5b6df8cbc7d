import type { Quote } from '@plinth/contract'
import { type PlanId, planOf } from '@plinth/contract/plans'
import type { RefusalCode } from '@plinth/contract/refusals'
import type { AuthedContext, Tx } from '../../../context.ts'
import { countMembers, lockAccount } from '../../../identity/account-store.ts'
import { invariant } from '../../../lib/invariant.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as attempts from '../core/attempt-store.ts'
import { isLive, isRunning, isSamePromotionCode, prorationDate, seatsFor } from '../core/rules.ts'
import * as store from '../core/store.ts'
import { promotionRefusal } from '../prices/promotion.ts'
import { hasSameQuote, quotedColumns } from '../prices/quote.ts'
import { extendLease, openAttempt, refusedMeanwhile, retryUntilFree, type Waited } from './lease.ts'

type Attempt = attempts.Attempt

/** Another plan for a running subscription, or another card where `plan` is null. */
export type Wish = {
  plan: PlanId | null
  token: string | null
  /** A promotion code. */
  code: string | null
  /** The price that the person agreed to. */
  quote: Quote | null
  /** The second that the preview divided the period at, since 1970. */
  previewed?: number | undefined
  /** The browser has been to the bank with one of our own payment objects. */
  confirmed: boolean
}

export type ChangeTurn =
  | { kind: 'drive'; attempt: Attempt }
  | { kind: 'replace'; attempt: Attempt }
  /** It is as wished already. */
  | { kind: 'standing' }
  /** Nothing runs that could be changed: a first plan is to be chosen. */
  | { kind: 'first' }
  | { kind: 'refused'; code: RefusalCode }

/**
 * Waits until nobody else works on the account's payment, then says what there is to do. Whose very same
 * wish was refused meanwhile is told so.
 */
export function takeChange(ctx: AuthedContext, wish: Wish): Promise<ChangeTurn> {
  const waited: Waited = { for: null }
  return retryUntilFree(() =>
    ctx.within(async tx => {
      const { account_id, user_id } = ctx.actor
      const account = invariant(await lockAccount(tx, account_id, user_id), 'the account')
      const open = await attempts.findOpenAttempt(tx, account_id)
      if (open?.busy_until && open.busy_until > ctx.now()) {
        if (isFor(open, wish)) waited.for = open.id
        return 'busy'
      }
      const code = open ? null : await refusedMeanwhile(ctx, tx, waited, last => isFor(last, wish))
      if (code) return { kind: 'refused', code }
      return decide(ctx, tx, { account, open }, wish)
    }),
  )
}

const kindOf = (wish: Wish) => (wish.plan === null ? 'card' : 'change')

const isFor = (attempt: Attempt, wish: Wish) =>
  attempt.kind === kindOf(wish) &&
  attempt.plan === wish.plan &&
  (wish.confirmed || isSamePromotionCode(wish.code, attempt.promotion_code)) &&
  (wish.confirmed || hasSameQuote(attempt, wish.quote)) &&
  (wish.confirmed || !wish.token || wish.token === attempt.card_token)

type Standing = {
  account: { id: string; stripe_customer_id: string | null }
  open: Attempt | undefined
}
type Row = NonNullable<Awaited<ReturnType<typeof store.findSubscription>>>
type Live = Row & { provider_sub_id: string }

const liveOf = (row: Row | undefined): Live | null =>
  row && isLive(row) && row.provider_sub_id ? { ...row, provider_sub_id: row.provider_sub_id } : null

async function decide(
  ctx: AuthedContext,
  tx: Tx,
  { account, open }: Standing,
  wish: Wish,
): Promise<ChangeTurn> {
  const live = liveOf(await store.findSubscription(tx, account.id))
  if (wish.plan !== null && !live && open?.kind !== 'change') return { kind: 'first' }
  if (open) {
    const attempt = { ...open, busy_until: await extendLease(ctx, tx, open) }
    return { kind: isFor(open, wish) ? 'drive' : 'replace', attempt }
  }
  // The card of a call that is repeated after its end is in use already, and would only be put in its own place.
  const known = wish.token !== null && wish.token === (await attempts.findLastCard(tx, account.id))
  const token = known ? null : wish.token
  if (wish.plan === null) {
    if (!account.stripe_customer_id) throw new Refusal('card_unneeded', { field: 'token' })
    if (known || (!token && wish.confirmed)) return { kind: 'standing' }
    if (!token) throw new Refusal('card_required', { field: 'token' })
    return { kind: 'drive', attempt: await beginCard(ctx, tx, { ...wish, token }, live) }
  }
  const subscription = invariant(live, 'a subscription')
  // A code that would take nothing off is not for us to drop in silence.
  const stays = wish.plan === subscription.plan
  if (stays && wish.code && !isSamePromotionCode(wish.code, await attempts.findLastCode(tx, account.id)))
    throw promotionRefusal('promotion_code_unfit')
  if (!token && isAsWished(subscription, wish.plan)) return { kind: 'standing' }
  if (wish.plan !== 'free' && !stays && !isRunning(subscription.provider_status))
    throw new Refusal('payment_due', { field: 'plan' })
  return {
    kind: 'drive',
    attempt: await beginChange(ctx, tx, subscription, { ...wish, plan: wish.plan, token }),
  }
}

const isAsWished = (row: Live, plan: PlanId) =>
  plan === 'free' ? row.pending_plan === 'free' : row.plan === plan && !row.cancel_at_period_end

const beginCard = (
  ctx: AuthedContext,
  tx: Tx,
  { token, quote }: Wish & { token: string },
  live: Live | null,
) =>
  openAttempt(ctx, tx, {
    ...{ kind: 'card', plan: null, seats: 1, trial_days: 0, card_token: token },
    ...quotedColumns(quote),
    provider_sub_id: live?.provider_sub_id ?? null,
  })

async function beginChange(ctx: AuthedContext, tx: Tx, live: Live, wish: Wish & { plan: PlanId }) {
  const { current_period_start: start, current_period_end: end } = live
  return openAttempt(ctx, tx, {
    kind: 'change',
    plan: wish.plan,
    from_plan: live.plan,
    seats: seatsFor(planOf(wish.plan), await countMembers(tx, live.account_id)),
    trial_days: 0,
    card_token: wish.token,
    promotion_code: wish.plan === live.plan ? null : wish.code,
    provider_sub_id: live.provider_sub_id,
    ...quotedColumns(wish.quote),
    proration_date: prorationDate(
      ctx.now(),
      wish.previewed,
      { start, end },
      ctx.config.payments.sandboxUrl !== null,
    ),
  })
}
