import type { Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import { isPlanId, planOf } from '@plinth/contract/plans'
import type { AuthedContext } from '../../../context.ts'
import type { Locale } from '../../../lib/i18n.ts'
import * as store from '../core/store.ts'
import { monthAround, type Period, priceOfUsage } from './usage-price.ts'
import { sumOfMonth, sumOfPeriod } from './usage-store.ts'

/**
 * What was used in the running period: of a plan with metered usage the subscription's, as it will be on the invoice;
 * of any other the calendar month, in UTC, which its allowance is for.
 */
export async function readUsage(ctx: AuthedContext): Promise<Reply<(typeof billing)['usage']>> {
  const { account_id, plan } = ctx.actor
  const metered = isPlanId(plan) ? planOf(plan).metered : null
  const month = monthAround(ctx.now())
  const { total, period } = await ctx.within(async tx => {
    if (!metered) return { total: await sumOfMonth(tx, account_id, month.name), period: month }
    const row = await store.findSubscription(tx, account_id)
    const [start, end] = [row?.current_period_start, row?.current_period_end]
    const period = start && end ? { start, end } : month
    return { total: await sumOfPeriod(tx, account_id, { ...period, meter: metered.event_name }), period }
  })
  return {
    total,
    label: ctx.t('usage.label'),
    period: daysOf(period, ctx.locale),
    period_start: period.start.toISOString(),
    period_end: period.end.toISOString(),
    amount: metered ? priceOfUsage(metered.tiers, total) : null,
  }
}

/** First and last day; the end itself belongs to the next period. */
const daysOf = ({ start, end }: Period, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatRange(
    start,
    new Date(end.getTime() - 1),
  )
