import type { Translate } from '../../../lib/i18n/translate.ts'
import { card } from '../../../lib/inputs/card.tsx'
import { CardInput } from './CardInput.tsx'

/** A form input for a new card, sent as a token of the payment provider. @param brand shown beside the label */
export const newCardInput = (brand: string | null, t: Translate) =>
  card({
    label: t('billing.card.label'),
    aside: brand && <span className="t13 ink3">{brand}</span>,
    required: true,
    messages: { required: t('billing.card.required') },
    component: CardInput,
  })
