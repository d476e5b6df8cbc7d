import type { Contract, Reply } from '@plinth/contract'
import { cardBrandName } from '@plinth/contract/card-brands'
import type { Translate } from '../../../lib/i18n/translate.ts'

export type SavedCard = Reply<Contract['billing']['card']>

/** The brand as it is printed on the card; a plain word for one that nobody knows. */
export const brandText = ({ brand }: SavedCard, t: Translate): string =>
  cardBrandName(brand) ?? t('billing.card.label')

/** "Visa ending 4242". */
export const cardName = (card: SavedCard, t: Translate): string =>
  t('billing.saved.ending', { brand: brandText(card, t), last4: card.last4 ?? '' })

/** As it is printed: 04 / 31. */
export const expiryOf = ({ exp_month, exp_year }: SavedCard): string =>
  exp_month && exp_year
    ? `${String(exp_month).padStart(2, '0')} / ${String(exp_year % 100).padStart(2, '0')}`
    : ''

/** A card is good to the end of its month. */
export const hasExpired = ({ exp_month, exp_year }: SavedCard, now: Date): boolean =>
  Boolean(exp_month && exp_year && new Date(exp_year, exp_month, 1) <= now)

/** Whether two answers show the same card, as far as they tell. */
export const isSameCard = (one: SavedCard, other: SavedCard): boolean =>
  one.brand === other.brand && one.last4 === other.last4 && expiryOf(one) === expiryOf(other)
