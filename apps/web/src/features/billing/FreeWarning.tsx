import { billingDay } from '../../lib/i18n/format.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { bannerOf } from './banner.ts'
import { endOf, type Subscription } from './CurrentPlan.tsx'
import { lastInvoiceTexts } from './last-invoice.ts'
import { type Plan, whatItHolds } from './plan-texts.ts'
import type { Preview } from './price.ts'

type Props = { plan: Plan; free: Plan; subscription: Subscription; preview: Preview | undefined }

/** Free starts when the billing cycle ends: the date, what is still billed, and the limits that apply afterwards. */
export function FreeWarning({ plan, free, subscription, preview }: Props) {
  const t = useT()
  const end = subscription.current_period_end
  const locked = bannerOf(subscription.status) !== null
  const last = preview && { amount: preview.next_amount, currency: preview.currency }
  if (subscription.pending_plan === free.id)
    return <Alert title={endOf(subscription, t)}>{t('billing.change.settled')}</Alert>
  return (
    <Alert
      tone="warning"
      title={
        end
          ? t(locked ? 'billing.change.free_ends' : 'billing.change.free_from', {
              plan: plan.name,
              date: billingDay(end),
            })
          : t(locked ? 'billing.change.free_ends_soon' : 'billing.change.free_soon', { plan: plan.name })
      }
      announce="status"
    >
      {[
        t(locked ? 'billing.change.free_owing' : 'billing.change.free_text'),
        ...lastInvoiceTexts(plan, last, t),
        t('billing.change.free_limits', { limits: whatItHolds(free, t) }),
      ].join(' ')}
    </Alert>
  )
}
