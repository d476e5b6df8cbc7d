import type { Contract, Reply } from '@plinth/contract'
import { planOf } from '@plinth/contract/plans'
import { list, money } from '../../../lib/i18n/format.ts'
import type { TextKey } from '../../../lib/i18n/texts.ts'
import type { Translate } from '../../../lib/i18n/translate.ts'
import type { PlanOption } from '../../../ui/form/PlanPicker.tsx'
import { usageSentence } from './usage-prices.ts'
import type { PlanPrice } from './use-price.ts'

export type Plan = Reply<Contract['billing']['plans']>['plans'][number]

/** The plans as options of the plan picker. */
export function planOptions(plans: readonly Plan[], t: Translate): PlanOption[] {
  return plans.map(plan => ({
    value: plan.id,
    label: plan.name,
    slabs: planOf(plan.id).slabs,
    help: [planExtraText(plan, plans, t), planLimitsText(plan, t)].filter(Boolean).join('. '),
    price: money(plan.price, plan.currency.code, { whole: true }),
    priceNote: t(periodKey(plan)),
  }))
}

/** The trial of a plan, or the months that yearly payment saves. */
function planExtraText(plan: Plan, plans: readonly Plan[], t: Translate): string | null {
  if (plan.trial_available && plan.trial_days > 0) return t('billing.plan.trial', { count: plan.trial_days })
  const saved = monthsSaved(plan, plans)
  return saved > 0 ? t('billing.plan.months_less', { count: saved }) : null
}

/** The limits of a plan in one line: users, API keys and events. */
export function planLimitsText(plan: Plan, t: Translate): string {
  const { users, api_keys, events } = plan.entitlements
  const usage = usageSentence(plan, t)
  return list([
    users === null ? t('billing.plan.users_any') : t('billing.plan.users', { count: users }),
    api_keys === null ? t('billing.plan.keys_any') : t('billing.plan.keys', { count: api_keys }),
    ...(usage ? [usage] : events === null ? [] : [t('billing.plan.events', { count: events })]),
  ])
}

/** How many monthly payments a yearly plan saves, rounded down. */
function monthsSaved(plan: Plan, plans: readonly Plan[]): number {
  if (plan.interval !== 'year') return 0
  const monthly = plans.find(({ type, interval }) => type === plan.type && interval === 'month')
  return monthly ? Math.floor(12 - plan.price / monthly.price) : 0
}

/** The billing unit of a price: per month or year, per seat, or plus usage. */
export function periodKey({ type, interval, price }: Pick<Plan, 'type' | 'interval' | 'price'>): TextKey {
  if (price === 0) return 'billing.per.free'
  if (type === 'per_seat') return interval === 'year' ? 'billing.per.seat_year' : 'billing.per.seat_month'
  if (type === 'tiered') return interval === 'year' ? 'billing.per.usage_year' : 'billing.per.usage_month'
  return interval === 'year' ? 'billing.per.year' : 'billing.per.month'
}

export const periodPrice = (plan: Plan, seats: number): number =>
  plan.type === 'per_seat' ? plan.price * seats : plan.price

/** The text of the pay button; undefined, and so no button, until the price is known. */
export function payText(plan: Plan | undefined, { preview }: PlanPrice, t: Translate): string | undefined {
  if (!plan) return t('billing.button.none')
  if (plan.price === 0) return t('billing.button.free')
  if (!preview.data) return undefined
  const { due_now, currency } = preview.data
  if (due_now > 0) return t('billing.button.pay', { amount: money(due_now, currency) })
  if (plan.trial_available && plan.trial_days > 0)
    return t('billing.button.trial', { count: plan.trial_days })
  return t('billing.button.start', { plan: plan.name })
}
