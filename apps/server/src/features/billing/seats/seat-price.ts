import type { Quote } from '@plinth/contract'
import { isPlanId, planOf } from '@plinth/contract/plans'
import type { Tx } from '../../../context.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { isLive } from '../core/rules.ts'
import * as store from '../core/store.ts'
import { isSameQuote, makeQuote } from '../prices/quote.ts'

type Subscription = { plan: string; seat_price: number; provider_sub_id: string | null; status: string }

/**
 * The quote of one more seat for a period. Zero is quoted as well, to notice a plan that was chosen since.
 */
export function quoteSeat(accountId: string, row: Subscription | undefined): Quote {
  const plan = row && isLive(row) && isPlanId(row.plan) ? planOf(row.plan) : null
  if (!row || plan?.type !== 'per_seat')
    return makeQuote({ amount: 0, currency: plan?.currency ?? planOf('free').currency }, [accountId, 'seat'])
  return makeQuote({ amount: row.seat_price, currency: plan.currency }, [
    accountId,
    'seat',
    row.plan,
    plan.interval,
  ])
}

/**
 * Refuses a quote of another price. Call it under the account's lock, so that the plan can't change
 * afterwards.
 */
export async function assertSeatQuote(tx: Tx, accountId: string, quote: Quote | undefined): Promise<void> {
  if (!quote) return
  const now = quoteSeat(accountId, await store.findSubscription(tx, accountId))
  if (!isSameQuote(now, quote)) throw new Refusal('price_changed', { data: { quote: now } })
}
