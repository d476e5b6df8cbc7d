import { billingDay, money } from '../../../lib/i18n/format.ts'
import { type Translate, useT } from '../../../lib/i18n/translate.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Loading, Skeleton } from '../../../ui/base/Skeleton.tsx'
import { Lines } from '../../../ui/form/PlanPicker.tsx'
import type { Plan } from './plan-texts.ts'
import { usageLines } from './usage-prices.ts'
import type { Preview, PreviewState } from './use-price.ts'

type Props = Pick<PreviewState, 'data' | 'failed' | 'retry'> & {
  refused?: PreviewState['refused']
  /** Adds the usage prices of this plan below the total. */
  plan?: Plan
}

/** The price of a plan change: the amount due now, the remaining credit and the next payment. */
export function PriceLines({ data, failed, refused, retry, plan }: Props) {
  const t = useT()
  if (data) {
    const { next_date, next_amount, currency } = data
    const usage = plan ? usageLines(plan, t) : []
    return (
      <>
        <Lines lines={priceLines(data, t)} />
        {next_date && next_amount !== null && (
          <p className="t13 ink2">
            {t('billing.change.next', { date: billingDay(next_date), amount: money(next_amount, currency) })}
          </p>
        )}
        {usage.length > 0 && <Lines lines={usage} />}
      </>
    )
  }
  if (failed) {
    return (
      <>
        {refused ? (
          <p className="ink2" role="alert">
            {refused.message}
          </p>
        ) : (
          <p className="ink2">{t('billing.change.no_price')}</p>
        )}
        {refused?.canRetry !== false && (
          <Button block onClick={retry}>
            {t('global.retry')}
          </Button>
        )}
      </>
    )
  }
  return (
    <Loading label={t('billing.change.loading')}>
      <div className="stack">
        <Skeleton height="20px" />
        <Skeleton height="20px" />
        <Skeleton height="36px" />
      </div>
    </Loading>
  )
}

function priceLines(preview: Preview, t: Translate) {
  const { due_now, credit, currency } = preview
  const amount = (minor: number) => money(minor, currency)
  return [
    ...linesDueNow(preview).map(line => ({ label: line.text, value: amount(line.amount) })),
    ...(isBilledLater(preview) ? [] : discountLine(preview, t)),
    ...taxLine(preview, t),
    ...(isBilledLater(preview) ? [] : creditUsedLine(preview, t)),
    { label: t('billing.change.due'), value: amount(due_now), total: true },
    ...(credit > 0 ? [{ label: t('billing.change.credit'), value: amount(credit) }] : []),
  ]
}

/**
 * The lines that add up to the amount due, or to the credit. If the change is not billed on its own invoice, the
 * provider's preview is the next invoice, and only its prorations belong to the change.
 */
function linesDueNow(preview: Preview): Preview['lines'] {
  const { lines } = preview
  return lines.filter(line => line.amount !== 0 && (line.proration || !isBilledLater(preview)))
}

function isBilledLater({ lines, due_now, credit }: Preview): boolean {
  const prorations = lines.filter(line => line.proration)
  const sum = prorations.reduce((total, line) => total + line.amount, 0)
  return due_now === 0 && credit > 0 && credit === -sum
}

/** Empty when there is no tax. */
export function taxLine({ tax, currency }: Preview, t: Translate) {
  return tax > 0 ? [{ label: t('billing.sum.tax'), value: money(tax, currency) }] : []
}

/** The discount on the total. Discounts on single lines are already in their amounts. */
export function discountLine({ discount, currency }: Preview, t: Translate) {
  return discount > 0 ? [{ label: t('billing.sum.discount'), value: money(-discount, currency) }] : []
}

/** Credit from earlier changes that pays part of the total. */
export function creditUsedLine(preview: Preview, t: Translate) {
  const used = creditUsed(preview)
  return used > 0 ? [{ label: t('billing.sum.credit'), value: money(-used, preview.currency) }] : []
}

/** Line amounts may include tax: if they add up to the amount due, tax is not added again. */
function creditUsed({ lines, discount, tax, due_now }: Preview): number {
  const sum = lines.reduce((total, { amount }) => total + amount, 0) - discount
  return due_now === sum ? 0 : Math.max(0, sum + tax - due_now)
}
