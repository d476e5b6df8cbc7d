import type { Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import { isPlanId, planOf } from '@plinth/contract/plans'
import type { AuthedContext, Tx } from '../../../context.ts'
import type { Locale } from '../../../lib/i18n.ts'
import * as store from '../core/store.ts'
import { monthAround, type Period, priceOfUsage } from './usage-price.ts'
import { sumOfMonth, sumOfPeriod } from './usage-store.ts'

/**
 * Usage of the current period: the subscription's period on a metered plan, otherwise the calendar month in
 * UTC.
 */
export async function readUsage(ctx: AuthedContext): Promise<Reply<(typeof billing)['usage']>> {
  const { account_id, plan } = ctx.actor
  const month = monthAround(ctx.now())
  const { total, period, amount } = await ctx.within(
    async tx =>
      (await findMeteredUsage(tx, account_id, plan, ctx.now())) ?? {
        total: await sumOfMonth(tx, account_id, month.name),
        period: month,
        amount: null,
      },
  )
  return {
    total,
    label: ctx.t('usage.label'),
    period: daysOf(period, ctx.locale),
    period_start: period.start.toISOString(),
    period_end: period.end.toISOString(),
    amount,
  }
}

/** Usage of the running period and its price; null on a plan without metered usage. */
export async function findMeteredUsage(
  tx: Tx,
  accountId: string,
  plan: string | null | undefined,
  now: Date,
) {
  const offer = isPlanId(plan) ? planOf(plan) : null
  if (!offer?.metered) return null
  const { tiers, event_name: meter } = offer.metered
  const row = await store.findSubscription(tx, accountId)
  const [start, end] = [row?.current_period_start, row?.current_period_end]
  const period = start && end ? { start, end } : monthAround(now)
  const total = await sumOfPeriod(tx, accountId, { start: period.start, end: period.end, meter })
  return { total, period, amount: priceOfUsage(tiers, total), currency: offer.currency }
}

/** First and last day; the end itself belongs to the next period. */
const daysOf = ({ start, end }: Period, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatRange(
    start,
    new Date(end.getTime() - 1),
  )
