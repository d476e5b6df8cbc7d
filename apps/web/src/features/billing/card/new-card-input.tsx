import type { Translate } from '../../../lib/i18n/translate.ts'
import { card } from '../../../lib/inputs/card.tsx'
import { CardInput } from './CardInput.tsx'

/** The card as a field of a form, which sends what the provider makes of it. @param brand shown beside, once known */
export const newCardInput = (brand: string | null, t: Translate) =>
  card({
    label: t('billing.card.label'),
    aside: brand && <span className="t13 ink3">{brand}</span>,
    required: true,
    messages: { required: t('billing.card.required') },
    component: CardInput,
  })
