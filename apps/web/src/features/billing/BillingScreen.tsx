import CircleAlert from 'lucide-react/icons/circle-alert'
import { useEffect } from 'react'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/api/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { mergeSession, session } from '../../lib/session/store.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FactsSkeleton } from '../../ui/Facts.tsx'
import { Loading } from '../../ui/Skeleton.tsx'
import { bannerOf } from './banner.ts'
import { CurrentPlan, endOf } from './CurrentPlan.tsx'
import { StatusBanner } from './StatusBanner.tsx'
import { SupportLine } from './SupportLine.tsx'

export function BillingScreen() {
  const t = useT()
  const subscription = useApi(api.billing.subscription)
  const list = useApi(api.billing.plans)
  const status = subscription.data?.status
  // The session lives outside React, and what it says of the subscription opens and closes the other screens.
  useEffect(() => {
    if (status !== undefined && status !== session.get()?.subscription) mergeSession({ subscription: status })
  }, [status])

  if (subscription.data && list.data) {
    const { data } = subscription
    const plan = list.data.plans.find(({ id }) => id === data.plan)
    return (
      <>
        <StatusBanner status={data.status} />
        {data.cancel_at_period_end && !bannerOf(data.status) && (
          <Alert title={endOf(data, t)}>{t('billing.now.ending_text')}</Alert>
        )}
        {plan && <CurrentPlan plan={plan} subscription={data} />}
        {(!bannerOf(data.status) || data.status === 'canceled') && (
          <SupportLine text="billing.now.support" className="t13 ink2" />
        )}
      </>
    )
  }
  if (subscription.failed || list.failed) {
    return (
      <Card>
        <EmptyState
          icon={CircleAlert}
          title={t('billing.now.failed')}
          action={
            <Button
              onClick={() => {
                if (subscription.failed) subscription.retry()
                if (list.failed) list.retry()
              }}
            >
              {t('global.retry')}
            </Button>
          }
        >
          {t('billing.now.failed_text')}
        </EmptyState>
      </Card>
    )
  }
  return (
    <Loading label={t('global.loading')}>
      <FactsSkeleton keys={['plan', 'seats', 'price', 'cycle']} />
    </Loading>
  )
}
