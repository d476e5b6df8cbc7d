import { billingDay, money } from '../../../lib/i18n/format.ts'
import { type Translate, useT } from '../../../lib/i18n/translate.ts'
import { Inset } from '../../../ui/base/Inset.tsx'
import { Lines } from '../../../ui/form/PlanPicker.tsx'
import { creditUsedLine, discountLine, PriceLines, taxLine } from './PriceLines.tsx'
import { type Plan, periodKey, periodPrice } from './plan-texts.ts'
import { usageLines } from './usage-prices.ts'
import type { PlanPrice, Preview } from './use-price.ts'

type Line = { label: string; value: string }

/** What the user pays today and at the next billing date, shown before payment. */
export function PlanSummary({ plan, seats, price }: { plan: Plan; seats: number; price: PlanPrice }) {
  const t = useT()
  const { data } = price.preview
  if (plan.price > 0 && !data)
    return (
      <Inset className="stack">
        <PriceLines {...price.preview} />
      </Inset>
    )
  return (
    <Inset>
      <Lines lines={data ? priceLines(plan, seats, data, t) : freeLines(plan, t)} />
    </Inset>
  )
}

const freeLines = (plan: Plan, t: Translate): Line[] => [
  { label: t('billing.sum.today'), value: money(0, plan.currency.code) },
  { label: t('billing.card.label'), value: t('billing.sum.no_card') },
]

function priceLines(plan: Plan, seats: number, price: Preview, t: Translate): Line[] {
  const amount = (minor: number) => money(minor, price.currency)
  const credit = creditUsedLine(price, t)
  const next = price.next_date && {
    label: nextPaymentLabel(plan, seats, price, t),
    value: amount(price.next_amount ?? 0),
  }
  // A single line without discount, tax or credit equals the total, so the total alone is shown.
  const isTotalOnly = price.discount === 0 && price.tax === 0 && credit.length === 0 && price.lines.length < 2
  return [
    ...(isTotalOnly ? [] : price.lines.map(line => ({ label: line.text, value: amount(line.amount) }))),
    ...discountLine(price, t),
    ...taxLine(price, t),
    ...credit,
    { label: t('billing.sum.today'), value: amount(price.due_now) },
    ...(price.credit > 0 ? [{ label: t('billing.change.credit'), value: amount(price.credit) }] : []),
    ...(next ? [next] : []),
    ...priceAfterCodeLine(plan, seats, price, t),
    ...usageLines(plan, t),
  ]
}

/** The price per period after the promotion code has expired. */
function priceAfterCodeLine(
  plan: Plan,
  seats: number,
  { promotion, next_amount, currency }: Preview,
  t: Translate,
): Line[] {
  const price = periodPrice(plan, seats)
  if (!promotion || promotion.duration === 'forever' || next_amount === null || next_amount >= price)
    return []
  const period = t(periodKey({ ...plan, type: 'flat' }))
  return [{ label: t('billing.sum.after_code'), value: `${money(price, currency)} ${period}` }]
}

/** Names the recurring price if the next payment equals it, otherwise the next payment only. */
function nextPaymentLabel(
  plan: Plan,
  seats: number,
  { next_date, next_amount }: Preview,
  t: Translate,
): string {
  const { type, interval } = plan
  const date = billingDay(next_date ?? '')
  if (next_amount !== periodPrice(plan, seats)) return t('billing.sum.next', { date })
  if (type === 'per_seat')
    return t(interval === 'year' ? 'billing.sum.seats_year' : 'billing.sum.seats_month', {
      date,
      count: seats,
    })
  return t(interval === 'year' ? 'billing.sum.from_year' : 'billing.sum.from_month', { date })
}
