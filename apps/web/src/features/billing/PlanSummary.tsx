import { planOf } from '@plinth/contract/plans'
import { day, finePrice, money } from '../../lib/i18n/format.ts'
import { type Translate, useT } from '../../lib/i18n/translate.ts'
import { Lines } from '../../ui/PlanPicker.tsx'
import { Well } from '../../ui/Well.tsx'
import { discountLine, PriceLines } from './PriceLines.tsx'
import { type Plan, periodPrice } from './plan-texts.ts'
import type { Preview, Price } from './price.ts'

type Line = { label: string; value: string }

/** What is paid now, what comes next and when, and the tax stance: before the click. */
export function PlanSummary({ plan, seats, price }: { plan: Plan; seats: number; price: Price }) {
  const t = useT()
  const { reckoned, preview } = price
  if (plan.price > 0 && reckoned && !preview.data)
    return (
      <Well className="stack">
        <PriceLines {...preview} />
      </Well>
    )
  return (
    <Well>
      <Lines lines={linesOf(plan, seats, reckoned ? preview.data : undefined, t)} />
    </Well>
  )
}

/** @param price what the server says, where it may be another than the list's */
function linesOf(plan: Plan, seats: number, price: Preview | undefined, t: Translate): Line[] {
  const now = new Date()
  const amount = (minor: number) => money(minor, plan.currency.code)
  if (plan.price === 0) {
    return [
      { label: t('billing.sum.today'), value: amount(0) },
      { label: t('billing.card.label'), value: t('billing.sum.no_card') },
    ]
  }
  const trial = plan.trial_available && plan.trial_days > 0
  const due = amount(periodPrice(plan, seats))
  const from = trial ? trialEnd(plan, now) : periodEnd(plan, now)
  const next = nextLabel(plan, seats, from, t)
  // What is paid then alone is no price of every period.
  const once = t('billing.sum.next', { date: day(from) })
  if (price && !isListed(price, trial ? 0 : periodPrice(plan, seats), periodPrice(plan, seats)))
    return [
      ...price.lines.map(line => ({ label: line.text, value: amount(line.amount) })),
      ...discountLine(price, t),
      ...(price.tax > 0 ? [{ label: t('billing.sum.tax'), value: amount(price.tax) }] : []),
      ...(usedOf(price) > 0 ? [{ label: t('billing.sum.credit'), value: amount(-usedOf(price)) }] : []),
      { label: t('billing.sum.today'), value: amount(price.due_now) },
      ...(price.credit > 0 ? [{ label: t('billing.change.credit'), value: amount(price.credit) }] : []),
      {
        label: price.next_amount === periodPrice(plan, seats) ? next : once,
        value: amount(price.next_amount ?? 0),
      },
      ...usageLines(plan, t),
    ]
  return [
    { label: t('billing.sum.today'), value: trial ? amount(0) : due },
    { label: next, value: due },
    ...usageLines(plan, t),
    { label: t('billing.sum.tax'), value: t('billing.sum.tax_text') },
  ]
}

const isListed = ({ promotion, tax, credit, ...price }: Preview, now: number, then: number): boolean =>
  !promotion && tax === 0 && credit === 0 && price.due_now === now && price.next_amount === then

/** What is paid out of a credit of before. Tax that the prices hold already is not added to them. */
function usedOf({ lines, discount, tax, due_now }: Preview): number {
  const sum = lines.reduce((total, { amount }) => total + amount, 0) - discount
  return due_now === sum ? 0 : Math.max(0, sum + tax - due_now)
}

function nextLabel({ type, interval }: Plan, seats: number, from: Date, t: Translate): string {
  const values = { date: day(from), count: seats }
  if (type === 'per_seat')
    return t(interval === 'year' ? 'billing.sum.seats_year' : 'billing.sum.seats_month', values)
  return t(interval === 'year' ? 'billing.sum.from_year' : 'billing.sum.from_month', { date: values.date })
}

/** Each step of a metered price that costs something. */
function usageLines(plan: Plan, t: Translate): Line[] {
  const tiers = planOf(plan.id).metered?.tiers ?? []
  return tiers.flatMap(({ unit_amount_decimal: price }, index) => {
    const over = tiers[index - 1]?.up_to
    if (Number(price) === 0 || !over) return []
    return [
      {
        label: t('billing.sum.usage', { over }),
        value: t('billing.sum.usage_each', { price: finePrice(price, plan.currency.code) }),
      },
    ]
  })
}

function trialEnd({ trial_days }: Plan, now: Date): Date {
  const end = new Date(now)
  end.setDate(end.getDate() + trial_days)
  return end
}

/** A month or a year later; the 31st becomes the last day of a shorter month, as the provider counts. */
export function periodEnd({ interval }: Pick<Plan, 'interval'>, now: Date): Date {
  const months = interval === 'year' ? 12 : 1
  const end = new Date(now)
  end.setMonth(end.getMonth() + months)
  if (end.getDate() !== now.getDate()) end.setDate(0)
  return end
}
