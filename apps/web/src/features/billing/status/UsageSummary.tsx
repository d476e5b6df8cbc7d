import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import { count, money } from '../../../lib/i18n/format.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { DescriptionList, DescriptionListSkeleton } from '../../../ui/base/DescriptionList.tsx'
import { Loading } from '../../../ui/base/Skeleton.tsx'
import { TextSpan } from '../../../ui/base/TextSpan.tsx'
import type { Plan } from '../price/plan-texts.ts'
import { usageLines } from '../price/usage-prices.ts'
import { LoadFailed } from '../shared/LoadFailed.tsx'

/** Usage in the current billing period and its cost so far. */
export function UsageSummary({ plan }: { plan: Plan }) {
  const t = useT()
  const { data, failed, retry } = useApi(api.billing.usage)
  if (data) {
    const used = {
      key: 'used',
      label: t('billing.usage.used'),
      value: (
        <span>
          <TextSpan>{count(data.total)}</TextSpan> <span className="ink2">{data.label}</span>
        </span>
      ),
      note: data.period,
    }
    const cost = data.amount !== null && {
      key: 'cost',
      label: t('billing.usage.so_far'),
      value: money(data.amount, plan.currency.code),
      note: t('billing.usage.so_far_text'),
    }
    const prices = usageLines(plan, t).map(({ label, value }) => ({ key: label, label, value }))
    return (
      <DescriptionList label={t('billing.usage.title')} facts={[used, ...(cost ? [cost] : []), ...prices]} />
    )
  }
  if (failed && !data)
    return (
      <LoadFailed title={t('billing.usage.failed')} text={t('billing.usage.failed_text')} retry={retry} />
    )
  return (
    <Loading label={t('global.loading')}>
      <DescriptionListSkeleton keys={['used', 'cost']} />
    </Loading>
  )
}
