import type { TextKey } from '../../../lib/i18n/texts.ts'
import type { AlertTone } from '../../../ui/base/Alert.tsx'

export type Banner = {
  tone: AlertTone
  title: TextKey
  text: TextKey
  action: 'choose_plan' | 'check_payment' | 'change_card'
}

const banners: Record<string, Banner> = {
  requires_payment_method: {
    tone: 'danger',
    title: 'billing.banner.failed',
    text: 'billing.banner.failed_text',
    action: 'change_card',
  },
  requires_action: {
    tone: 'warning',
    title: 'billing.banner.action',
    text: 'billing.banner.action_text',
    action: 'check_payment',
  },
  canceled: {
    tone: 'danger',
    title: 'billing.banner.canceled',
    text: 'billing.banner.canceled_text',
    action: 'choose_plan',
  },
}
const none: Banner = {
  tone: 'warning',
  title: 'billing.banner.none',
  text: 'billing.banner.none_text',
  action: 'choose_plan',
}

/** The banner for a subscription that is not running; null when it is active or in trial. */
export function bannerOf(status: string | null): Banner | null {
  if (status === 'active' || status === 'trialing') return null
  return banners[status ?? ''] ?? none
}
