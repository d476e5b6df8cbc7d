import { billingDay } from '../../../lib/i18n/format.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { type Plan, planLimitsText } from '../price/plan-texts.ts'
import type { Preview } from '../price/use-price.ts'
import { bannerOf } from '../status/banner.ts'
import { planEndText, type Subscription } from '../status/subscription.ts'
import { lastInvoiceTexts } from './last-invoice.ts'

type Props = { plan: Plan; free: Plan; subscription: Subscription; preview: Preview | undefined }

/** Warns before a change to the free plan: the end date, the last invoice and the limits afterwards. */
export function FreeWarning({ plan, free, subscription, preview }: Props) {
  const t = useT()
  const end = subscription.current_period_end
  const locked = bannerOf(subscription.status) !== null
  const last = preview && { amount: preview.next_amount, currency: preview.currency }
  if (subscription.pending_plan === free.id)
    return <Alert title={planEndText(subscription, t)}>{t('billing.change.settled')}</Alert>
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
        t('billing.change.free_limits', { limits: planLimitsText(free, t) }),
      ].join(' ')}
    </Alert>
  )
}
