import type { Settings } from '../../../lib/api/settings.ts'
import type { CardAdapter } from '../../../lib/form/card-adapter.ts'
import { language } from '../../../lib/i18n/language.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { sandboxAdapter } from './sandbox-adapter.ts'

/** Confirms payments with the saved card. It creates no token, because no card is typed. */
export function savedCardAdapter({ sandbox_url, publishable_key }: Settings['payments']): CardAdapter {
  if (sandbox_url) return sandboxAdapter({ read: () => null, markInvalid: () => undefined })
  return {
    tokenize: async () => ({ error: t('billing.card.required'), code: 'incomplete' }),
    async confirm(secret, kind) {
      const { openCard } = await import('./stripe.ts')
      // Only the adapter is needed; the card field that openCard() creates is never shown.
      const { adapter, element } = await openCard(publishable_key, language.get())
      return adapter.confirm(secret, kind).finally(() => element.destroy())
    },
  }
}
