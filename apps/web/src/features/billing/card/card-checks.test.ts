import { expect, test } from 'vitest'
import { brandOfInput, cardErrorOf, readExpiry } from './card-checks.ts'

const now = new Date(2026, 10, 20)
const good = { number: '4242 4242 4242 4242', exp: '12 / 34', cvc: '123' }

test.each([
  [{}, null],
  [{ number: '4242 4242' }, 'billing.card.number_short'],
  [{ number: '4242 4242 4242 4241' }, 'billing.card.number_wrong'],
  [{ exp: '12 / ' }, 'billing.card.exp_short'],
  [{ exp: '13 / 34' }, 'billing.card.exp_wrong'],
  [{ exp: '00 / 34' }, 'billing.card.exp_wrong'],
  [{ exp: '10 / 26' }, 'billing.card.exp_past'],
  [{ exp: '11 / 26' }, null],
  [{ cvc: '12' }, 'billing.card.cvc_short'],
  [{ number: '3782 822463 10005', cvc: '123' }, 'billing.card.cvc_short_amex'],
  [{ number: '3782 822463 10005', cvc: '1234' }, null],
])('a card with %j gets the error %s', (change, text) => {
  expect(cardErrorOf({ ...good, ...change }, now)?.text ?? null).toBe(text)
})

test('reads a two-digit year as one of this century', () => {
  expect(readExpiry('04 / 31', now)).toEqual({ month: 4, year: 2031 })
})

test('finds the brand from the first digits; null if unknown', () => {
  expect(brandOfInput({ ...good, number: '5555' })).toBe('Mastercard')
  expect(brandOfInput({ ...good, number: '6011' })).toBeNull()
  expect(brandOfInput(null)).toBeNull()
})
