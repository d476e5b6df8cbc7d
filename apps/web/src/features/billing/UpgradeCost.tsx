import type { Contract, Reply } from '@plinth/contract'
import { day, money } from '../../lib/i18n/format.ts'
import { type Translate, useT } from '../../lib/i18n/translate.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Lines } from '../../ui/PlanPicker.tsx'
import { Loading, Skeleton } from '../../ui/Skeleton.tsx'
import { Well } from '../../ui/Well.tsx'

export type Preview = Reply<Contract['billing']['previewPlan']>

type Props = { data: Preview | undefined; failed: boolean; retry: () => void }

/** What the change of a running subscription costs, as the provider reckons it. */
export function UpgradeCost({ data, failed, retry }: Props) {
  const t = useT()
  if (data) {
    return (
      <Well>
        <Lines lines={linesOf(data, t)} />
      </Well>
    )
  }
  if (!failed) {
    return (
      <Loading label={t('global.loading')}>
        <Skeleton height="120px" />
      </Loading>
    )
  }
  return (
    <Alert
      tone="danger"
      title={t('billing.upgrade.no_price')}
      action={
        <Button size="sm" onClick={retry}>
          {t('global.retry')}
        </Button>
      }
    >
      {t('billing.failed_text')}
    </Alert>
  )
}

function linesOf(preview: Preview, t: Translate) {
  const { lines, tax, due_now, credit, next_date, next_amount, currency } = preview
  const amount = (minor: number) => money(minor, currency)
  const parts = lines.map(({ text, amount: minor }) => ({ label: text, value: amount(minor) }))
  return [
    ...parts,
    ...(tax === 0 ? [] : [{ label: t('billing.sum.tax'), value: amount(tax) }]),
    ...(credit === 0 ? [] : [{ label: t('billing.upgrade.credit'), value: amount(credit) }]),
    ...(next_date && next_amount !== null
      ? [{ label: t('billing.upgrade.next', { date: day(next_date) }), value: amount(next_amount) }]
      : []),
    { label: t('billing.sum.today'), value: amount(due_now), total: true },
  ]
}
