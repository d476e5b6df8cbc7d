import type { TextKey } from '../../../lib/i18n/texts.ts'
import type { AlertTone } from '../../../ui/base/Alert.tsx'

export type Banner = { tone: AlertTone; title: TextKey; text: TextKey; does: 'choose' | 'look' | 'card' }

const banners: Record<string, Banner> = {
  requires_payment_method: {
    tone: 'danger',
    title: 'billing.banner.failed',
    text: 'billing.banner.failed_text',
    does: 'card',
  },
  requires_action: {
    tone: 'warning',
    title: 'billing.banner.action',
    text: 'billing.banner.action_text',
    does: 'look',
  },
  canceled: {
    tone: 'danger',
    title: 'billing.banner.canceled',
    text: 'billing.banner.canceled_text',
    does: 'choose',
  },
}
const none: Banner = {
  tone: 'warning',
  title: 'billing.banner.none',
  text: 'billing.banner.none_text',
  does: 'choose',
}

/** What a subscription that does not run asks for; null while everything is in order. */
export function bannerOf(status: string | null): Banner | null {
  if (status === 'active' || status === 'trialing') return null
  return banners[status ?? ''] ?? none
}
