import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/api/query.ts'
import { count, money } from '../../lib/i18n/format.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { Facts, FactsSkeleton } from '../../ui/Facts.tsx'
import { Loading } from '../../ui/Skeleton.tsx'
import { Words } from '../../ui/Words.tsx'
import type { Plan } from './plan-texts.ts'
import { ReadFailed } from './ReadFailed.tsx'
import { usageLines } from './usage-prices.ts'

/** What was used in the running period, and what it comes to so far. */
export function UsageFacts({ plan }: { plan: Plan }) {
  const t = useT()
  const { data, failed, retry } = useApi(api.billing.usage)
  if (data) {
    const used = {
      key: 'used',
      label: t('billing.usage.used'),
      value: (
        <span>
          <Words>{count(data.total)}</Words> <span className="ink2">{data.label}</span>
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
    return <Facts label={t('billing.usage.title')} facts={[used, ...(cost ? [cost] : []), ...prices]} />
  }
  if (failed && !data)
    return (
      <ReadFailed title={t('billing.usage.failed')} text={t('billing.usage.failed_text')} retry={retry} />
    )
  return (
    <Loading label={t('global.loading')}>
      <FactsSkeleton keys={['used', 'cost']} />
    </Loading>
  )
}
