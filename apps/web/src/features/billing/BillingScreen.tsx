import { useEffect } from 'react'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/data/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { mergeSession, session } from '../../lib/session/store.ts'
import { DescriptionListSkeleton } from '../../ui/base/DescriptionList.tsx'
import { Loading, Skeleton } from '../../ui/base/Skeleton.tsx'
import { BillingTabs } from './BillingTabs.tsx'
import { LoadFailed } from './shared/LoadFailed.tsx'
import { StatusBanner } from './status/StatusBanner.tsx'

/** The plan, the card and the invoices of an account. */
export function BillingScreen() {
  const t = useT()
  const subscription = useApi(api.billing.subscription, {}, { fresh: true })
  const list = useApi(api.billing.plans)
  const status = subscription.data?.status
  // Other screens read the subscription status from the session.
  useEffect(() => {
    if (status !== undefined && status !== session.get()?.subscription) mergeSession({ subscription: status })
  }, [status])

  if (subscription.data && list.data) {
    return (
      <>
        <StatusBanner subscription={subscription.data} />
        <BillingTabs plans={list.data.plans} subscription={subscription.data} />
      </>
    )
  }
  if (subscription.failed || list.failed) {
    return (
      <LoadFailed
        title={t('billing.now.failed')}
        text={t('billing.now.failed_text')}
        retry={() => {
          if (subscription.failed) subscription.retry()
          if (list.failed) list.retry()
        }}
      />
    )
  }
  return (
    <Loading label={t('global.loading')}>
      <div className="stack stack-6">
        <Skeleton height="40px" />
        <DescriptionListSkeleton keys={['plan', 'seats', 'price', 'cycle']} />
      </div>
    </Loading>
  )
}
