import type { Contract, Reply } from '@plinth/contract'
import { planOf } from '@plinth/contract/plans'
import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import { billingDay, billingSpan, count, money } from '../../../lib/i18n/format.ts'
import type { TextKey } from '../../../lib/i18n/texts.ts'
import { type Translate, useT } from '../../../lib/i18n/translate.ts'
import { Badge, type BadgeColor, Slabs } from '../../../ui/base/Badge.tsx'
import { type DescriptionItem, DescriptionList } from '../../../ui/base/DescriptionList.tsx'
import { TextSpan } from '../../../ui/base/TextSpan.tsx'
import { type Plan, periodKey } from '../price/plan-texts.ts'
import { planEndText, type Subscription } from './subscription.ts'

type Upcoming = Reply<Contract['billing']['upcoming']>

const statuses: Record<string, [color: BadgeColor, text: TextKey]> = {
  active: ['green', 'billing.status.active'],
  trialing: ['blue', 'billing.status.trialing'],
  requires_payment_method: ['red', 'billing.status.failed'],
  requires_action: ['orange', 'billing.status.action'],
  canceled: ['red', 'billing.status.canceled'],
}

/** The current plan: its status, its price and the next billing date. */
export function CurrentPlan({ plan, subscription }: { plan: Plan; subscription: Subscription }) {
  const t = useT()
  const upcoming = useApi(api.billing.upcoming, { query: {} }, { fresh: true }).data
  const isCanceled = subscription.status === 'canceled'
  const [color, text] = statuses[subscription.status ?? ''] ?? []
  const current: DescriptionItem = {
    key: 'plan',
    label: isCanceled ? t('billing.now.last') : t('billing.now.plan'),
    value: (
      <>
        {plan.name}
        <Slabs filled={planOf(plan.id).slabs} />
      </>
    ),
    note: text && <Badge color={color}>{t(text)}</Badge>,
  }
  const { due } = subscription
  const cycle = [
    ...draftItem(upcoming, t),
    ...cycleItem(subscription, upcoming, t),
    ...creditItem(upcoming, t),
  ]
  const seats = seatsItem(plan, subscription, t)
  const paid = isCanceled ? cycle : [seats, priceItem(plan, subscription, t), ...cycle]
  // The amount due contains the price.
  const facts = due ? [seats, ...cycle, dueItem(due, t)] : paid
  return <DescriptionList label={t('billing.now.title')} facts={[current, ...facts]} />
}

function seatsItem(plan: Plan, { seats, seat_price }: Subscription, t: Translate): DescriptionItem {
  const label = t('billing.now.seats')
  if (plan.type !== 'per_seat')
    return { key: 'seats', label, value: count(seats), note: t('billing.now.included') }
  return {
    key: 'seats',
    label,
    value: (
      <span>
        <TextSpan>{count(seats)}</TextSpan>{' '}
        <span className="ink2">{`× ${money(seat_price, plan.currency.code)}`}</span>
      </span>
    ),
    note: t(periodKey(plan)),
  }
}

function priceItem(plan: Plan, { base_price }: Subscription, t: Translate): DescriptionItem {
  const seated = plan.type === 'per_seat'
  const free = plan.price === 0
  const amount = money(base_price, plan.currency.code, { whole: free })
  const period = t(periodKey(seated ? { ...plan, type: 'flat' } : plan))
  return {
    key: 'price',
    label: t('billing.now.price'),
    value: amount,
    note: free ? period : t('billing.now.before_tax', { period }),
  }
}

const dueItem = ({ amount, currency }: NonNullable<Subscription['due']>, t: Translate): DescriptionItem => ({
  key: 'due',
  label: t('billing.now.due'),
  value: <span className="text-danger-text">{money(amount, currency)}</span>,
})

/** The draft invoice of a renewal, which the provider charges about an hour after it creates it. */
function draftItem(upcoming: Upcoming | undefined, t: Translate): DescriptionItem[] {
  if (!upcoming?.draft) return []
  const { total, amount } = upcoming.draft
  const values = { amount: money(amount, upcoming.currency) }
  return [
    {
      key: 'draft',
      label: t('billing.now.draft'),
      value: money(total, upcoming.currency),
      note: t(amount < total ? 'billing.now.draft_less_credit' : 'billing.now.draft_charged', values),
    },
  ]
}

/** Credit left from earlier plan changes. */
function creditItem(upcoming: Upcoming | undefined, t: Translate): DescriptionItem[] {
  if (!upcoming?.credit) return []
  const value = money(upcoming.credit, upcoming.currency)
  return [{ key: 'credit', label: t('billing.now.credit'), value, note: t('billing.now.credit_text') }]
}

function cycleItem(
  subscription: Subscription,
  upcoming: Upcoming | undefined,
  t: Translate,
): DescriptionItem[] {
  const { current_period_start: start, current_period_end: end } = subscription
  if (!start || !end) return []
  return [
    {
      key: 'cycle',
      label: t(subscription.status === 'canceled' ? 'billing.now.last_cycle' : 'billing.now.cycle'),
      value: billingSpan(start, end),
      note: cycleEndText(subscription, upcoming, t),
    },
  ]
}

/** What happens at the end of the cycle: the plan ends, the trial ends, or a payment follows. */
function cycleEndText(
  subscription: Subscription,
  upcoming: Upcoming | undefined,
  t: Translate,
): string | undefined {
  const { status, cancel_at_period_end, current_period_end: end, trial_end, collection_paused } = subscription
  if (!end) return undefined
  if (cancel_at_period_end) return planEndText(subscription, t)
  if (collection_paused) return t('billing.now.paused')
  const next = upcoming?.amount ?? null
  const amount = upcoming && next !== null ? money(next, upcoming.currency) : null
  if (status === 'trialing') {
    const date = billingDay(trial_end ?? end)
    return amount ? t('billing.now.trial_then', { date, amount }) : t('billing.now.trial_until', { date })
  }
  if (status !== 'active') return undefined
  const date = billingDay(end)
  if (!amount || !upcoming) return t('billing.now.renews', { date })
  // Added seats raise the payment above the usual price, so the text names their share.
  const prorated = upcoming.prorated && money(upcoming.prorated, upcoming.currency)
  return prorated
    ? t('billing.now.renews_prorated', { date, amount, prorated })
    : t('billing.now.renews_at', { date, amount })
}
