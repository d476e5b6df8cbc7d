import type { TextKey } from '../../../lib/i18n/texts.ts'
import { brandOf, type CardValue, digitsOf, isCardNumber } from '../../../ui/form/card-format.ts'

export type CardPart = 'number' | 'exp' | 'cvc'
export type CardFault = { part: CardPart; text: TextKey }

/** What can be told wrong without asking anyone, in the order of the boxes; null when the card may be sent. */
export function faultOf(card: CardValue, now: Date): CardFault | null {
  const number = digitsOf(card.number)
  const amex = brandOf(number) === 'amex'
  if (number.length < (amex ? 15 : 13)) return { part: 'number', text: 'billing.card.number_short' }
  if (!isCardNumber(number)) return { part: 'number', text: 'billing.card.number_wrong' }
  const expiry = readExpiry(card.exp, now)
  if (!expiry) return { part: 'exp', text: 'billing.card.exp_short' }
  if (expiry.month < 1 || expiry.month > 12) return { part: 'exp', text: 'billing.card.exp_wrong' }
  // A card is good to the end of its month.
  if (new Date(expiry.year, expiry.month, 1) <= now) return { part: 'exp', text: 'billing.card.exp_past' }
  if (digitsOf(card.cvc).length < (amex ? 4 : 3)) {
    return { part: 'cvc', text: amex ? 'billing.card.cvc_short_amex' : 'billing.card.cvc_short' }
  }
  return null
}

/** The printed month and year of two digits, in this century. */
export function readExpiry(text: string, now: Date): { month: number; year: number } | null {
  const digits = digitsOf(text)
  if (digits.length !== 4) return null
  const century = Math.floor(now.getFullYear() / 100) * 100
  return { month: Number(digits.slice(0, 2)), year: century + Number(digits.slice(2)) }
}

const names = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', other: null } as const

/** The brand by the first digits of a card input's value, as it is printed on the card. */
export function brandOfInput(value: unknown): string | null {
  return isCard(value) ? names[brandOf(digitsOf(value.number))] : null
}

export function isCard(value: unknown): value is CardValue {
  return typeof value === 'object' && value !== null && 'number' in value && 'exp' in value && 'cvc' in value
}
