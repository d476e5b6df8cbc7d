import { describe, expect, test } from 'vitest'
import { currencyFormat, formatMoney, majorUnits } from './money.ts'

describe('formatMoney', () => {
  test.each([
    ['en', 1200, 'usd', '$12.00'],
    ['de', 1200, 'eur', '12,00 €'],
    ['en', 1200, 'jpy', '¥1,200'],
    ['en', 12_345, 'kwd', 'KWD 12.345'],
    ['en', 1_234_500, 'huf', 'HUF 12,345.00'],
    ['en', 500, 'isk', 'ISK 5'],
    ['en', 500, 'UGX', 'UGX 5'],
    ['en', -1200, 'usd', '-$12.00'],
  ])('in %s writes %i minor units of %s as %s', (locale, minor, currency, text) => {
    expect(formatMoney(locale, minor, currency).replaceAll('\u00a0', ' ')).toBe(text)
  })
})

test.each([
  ['usd', 12],
  ['JPY', 1200],
  ['bhd', 1.2],
])('majorUnits: 1200 minor units of %s are %d', (currency, major) => {
  expect(majorUnits(1200, currency)).toBe(major)
})

test('currencyFormat accepts more digits, for prices below a cent', () => {
  expect(currencyFormat('en', 'usd', { maximumFractionDigits: 6 }).format(0.002)).toBe('$0.002')
})
