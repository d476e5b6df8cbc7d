/** The three inputs of a card, formatted. */
export interface CardValue {
  number: string
  exp: string
  cvc: string
}

export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'other'

export const digitsOf = (text: string): string =>
  // Arabic and Persian keyboards type their own digits; payment providers accept ASCII digits only.
  [...text.normalize('NFKC')]
    .map(c => {
      const code = c.codePointAt(0) ?? 0
      if (code >= 0x660 && code <= 0x669) return String(code - 0x660)
      if (code >= 0x6f0 && code <= 0x6f9) return String(code - 0x6f0)
      return c
    })
    .join('')
    .replace(/\D/g, '')

export function brandOf(number: string): CardBrand {
  if (/^3[47]/.test(number)) return 'amex'
  if (/^4/.test(number)) return 'visa'
  return /^(5[1-5]|2[2-7])/.test(number) ? 'mastercard' : 'other'
}

export function formatNumber(text: string): string {
  const digits = digitsOf(text)
  if (brandOf(digits) === 'amex') {
    return [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10, 15)].filter(Boolean).join(' ')
  }
  return (
    digits
      .slice(0, 19)
      .match(/.{1,4}/g)
      ?.join(' ') ?? ''
  )
}

/** @param before the previous value: deleting also removes the slash */
export function formatExpiry(text: string, before = ''): string {
  // Autofill may insert a four-digit year.
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*[/-]\s*20(\d\d)\s*$/.exec(text) ?? []
  let digits = month ? month.padStart(2, '0') + year : digitsOf(text).slice(0, 4)
  if (/^[2-9]/.test(digits)) digits = `0${digits}`.slice(0, 4)
  if (digits.length < 2) return digits
  const deleting = text.length < before.length
  if (digits.length === 2) return deleting ? digits : `${digits} / `
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`
}

export function formatCvc(text: string, number: string): string {
  return digitsOf(text).slice(0, brandOf(digitsOf(number)) === 'amex' ? 4 : 3)
}

/** The Luhn check: finds mistyped digits before a request. */
export function isCardNumber(text: string): boolean {
  const digits = digitsOf(text)
  if (digits.length < 12) return false
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const doubled = place % 2 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
