import { billingDay } from '../../lib/i18n/format.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { Alert } from '../../ui/Alert.tsx'
import { bannerOf } from './banner.ts'
import { endOf, type Subscription } from './CurrentPlan.tsx'
import { type Plan, whatItHolds } from './plan-texts.ts'

type Props = { plan: Plan; free: Plan; subscription: Subscription }

/** Free waits for the end of what is paid for: until when, and what is different from then on. */
export function FreeWarning({ plan, free, subscription }: Props) {
  const t = useT()
  const end = subscription.current_period_end
  if (subscription.pending_plan === free.id)
    return <Alert title={endOf(subscription, t)}>{t('billing.change.settled')}</Alert>
  return (
    <Alert
      tone="warning"
      title={
        end
          ? t('billing.change.free_from', { plan: plan.name, date: billingDay(end) })
          : t('billing.change.free_soon', { plan: plan.name })
      }
      announce="status"
    >
      {t(bannerOf(subscription.status) ? 'billing.change.free_owing' : 'billing.change.free_text', {
        limits: whatItHolds(free, t),
      })}
    </Alert>
  )
}
