import type { Settings } from '../../../lib/api/settings.ts'
import type { CardAdapter } from '../../../lib/form/card-adapter.ts'
import { language } from '../../../lib/i18n/language.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { sandboxAdapter } from './sandbox-adapter.ts'

/** Asks the bank about a card that is on file: nothing was typed, so there is nothing to make a token of. */
export function savedCardAdapter({ sandbox_url, publishable_key }: Settings['payments']): CardAdapter {
  if (sandbox_url) return sandboxAdapter({ read: () => null, blame: () => undefined })
  return {
    tokenize: async () => ({ error: t('billing.card.required'), code: 'incomplete' }),
    async confirm(secret, kind) {
      const { openCard } = await import('./stripe.ts')
      // Stripe's own dialog needs no field; the one that comes with it is never shown.
      const { adapter, element } = await openCard(publishable_key, language.get())
      return adapter.confirm(secret, kind).finally(() => element.destroy())
    },
  }
}
