import type { Contract, Reply } from '@plinth/contract'
import { cardBrandName } from '@plinth/contract/card-brands'
import type { Translate } from '../../../lib/i18n/translate.ts'

export type SavedCard = Reply<Contract['billing']['card']>

/** The brand name, or "Card" for an unknown brand. */
export const brandText = ({ brand }: SavedCard, t: Translate): string =>
  cardBrandName(brand) ?? t('billing.card.label')

/** "Visa ending 4242". */
export const cardName = (card: SavedCard, t: Translate): string =>
  t('billing.saved.ending', { brand: brandText(card, t), last4: card.last4 ?? '' })

/** As printed on the card: 04 / 31. */
export const expiryOf = ({ exp_month, exp_year }: SavedCard): string =>
  exp_month && exp_year
    ? `${String(exp_month).padStart(2, '0')} / ${String(exp_year % 100).padStart(2, '0')}`
    : ''

/** A card is valid until the end of its expiry month. */
export const hasExpired = ({ exp_month, exp_year }: SavedCard, now: Date): boolean =>
  Boolean(exp_month && exp_year && new Date(exp_year, exp_month, 1) <= now)

/** Compares the details that the provider returns; it does not return the full number. */
export const isSameCard = (first: SavedCard, second: SavedCard): boolean =>
  first.brand === second.brand && first.last4 === second.last4 && expiryOf(first) === expiryOf(second)
