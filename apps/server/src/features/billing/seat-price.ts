import type { Quote } from '@plinth/contract'
import { isPlanId } from '@plinth/contract/plans'
import type { Tx } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isSameQuote, makeQuote, quoteSeat } from './quote.ts'
import { isLive } from './rules.ts'
import * as store from './store.ts'

/** What the next person in an account costs, as the account's subscription says; null where seats cost nothing. */
async function seatQuoteOf(tx: Tx, accountId: string): Promise<Quote | null> {
  const row = await store.findSubscription(tx, accountId)
  return row && isLive(row) && isPlanId(row.plan) ? quoteSeat({ ...row, plan: row.plan }) : null
}

/** Refuses whoever saw another price of a seat. Under the account's lock, so that the plan can't change after it. */
export async function demandQuotedSeat(tx: Tx, accountId: string, quote: Quote | undefined): Promise<void> {
  if (!quote) return
  const now =
    (await seatQuoteOf(tx, accountId)) ?? makeQuote({ amount: 0, currency: 'usd' }, [accountId, 'seat'])
  if (!isSameQuote(now, quote)) throw new Refusal('price_changed', { data: { quote: now } })
}
