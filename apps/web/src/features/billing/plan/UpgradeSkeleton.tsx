import { useT } from '../../../lib/i18n/translate.ts'
import { Loading, Skeleton } from '../../../ui/base/Skeleton.tsx'

/** Placeholder of the upgrade form while the plans and the card load. */
export function UpgradeSkeleton() {
  const t = useT()
  return (
    <Loading label={t('global.loading')}>
      <div className="stack stack-2 py-6">
        {['small', 'yearly', 'large', 'card', 'sum'].map(bar => (
          <Skeleton key={bar} height="66px" />
        ))}
      </div>
    </Loading>
  )
}
