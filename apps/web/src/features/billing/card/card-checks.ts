import type { TextKey } from '../../../lib/i18n/texts.ts'
import { brandOf, type CardValue, digitsOf, isCardNumber } from '../../../ui/form/card-format.ts'

export type CardPart = 'number' | 'exp' | 'cvc'
export type CardError = { part: CardPart; text: TextKey }

/** The first error of a card that can be found without the provider, in input order; null if there is none. */
export function cardErrorOf(card: CardValue, now: Date): CardError | null {
  const number = digitsOf(card.number)
  const amex = brandOf(number) === 'amex'
  if (number.length < (amex ? 15 : 13)) return { part: 'number', text: 'billing.card.number_short' }
  if (!isCardNumber(number)) return { part: 'number', text: 'billing.card.number_wrong' }
  const expiry = readExpiry(card.exp, now)
  if (!expiry) return { part: 'exp', text: 'billing.card.exp_short' }
  if (expiry.month < 1 || expiry.month > 12) return { part: 'exp', text: 'billing.card.exp_wrong' }
  // A card is valid until the end of its expiry month.
  if (new Date(expiry.year, expiry.month, 1) <= now) return { part: 'exp', text: 'billing.card.exp_past' }
  if (digitsOf(card.cvc).length < (amex ? 4 : 3)) {
    return { part: 'cvc', text: amex ? 'billing.card.cvc_short_amex' : 'billing.card.cvc_short' }
  }
  return null
}

/** Reads month and two-digit year; the year is in the current century. */
export function readExpiry(text: string, now: Date): { month: number; year: number } | null {
  const digits = digitsOf(text)
  if (digits.length !== 4) return null
  const century = Math.floor(now.getFullYear() / 100) * 100
  return { month: Number(digits.slice(0, 2)), year: century + Number(digits.slice(2)) }
}

const brandNames = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', other: null } as const

/** The brand name of a typed card, from its first digits; null if unknown. */
export function brandOfInput(value: unknown): string | null {
  return isCard(value) ? brandNames[brandOf(digitsOf(value.number))] : null
}

export function isCard(value: unknown): value is CardValue {
  return typeof value === 'object' && value !== null && 'number' in value && 'exp' in value && 'cvc' in value
}
