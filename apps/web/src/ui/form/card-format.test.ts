import { expect, test } from 'vitest'
import { brandOf, digitsOf, formatCvc, formatExpiry, formatNumber, isCardNumber } from './card-format.ts'

test.each([
  ['4242424242424242', '4242 4242 4242 4242'],
  ['4242-4242', '4242 4242'],
  ['378282246310005', '3782 822463 10005'],
  ['abc', ''],
])('the number %s is formatted as %s', (typed, drawn) => {
  expect(formatNumber(typed)).toBe(drawn)
})

test('accepts Arabic and Persian digits', () => {
  expect(digitsOf('٤٢۴۲')).toBe('4242')
})

test.each([
  ['1', '', '1'],
  ['12', '1', '12 / '],
  ['12 /', '12 / ', '12'],
  ['12 / 3', '12 / ', '12 / 3'],
  ['1234', '', '12 / 34'],
  ['5', '', '05 / '],
  ['12/2030', '', '12 / 30'],
  ['3/2031', '', '03 / 31'],
])('the expiry %j after %j becomes %j', (typed, before, drawn) => {
  expect(formatExpiry(typed, before)).toBe(drawn)
})

test('the security code has three digits, four for American Express', () => {
  expect(formatCvc('12345', '4242 4242')).toBe('123')
  expect(formatCvc('12345', '3782 8')).toBe('1234')
})

test.each([
  ['4242 4242 4242 4242', true],
  ['4242 4242 4242 4241', false],
  ['4242', false],
])('%s is a card number: %s', (number, good) => {
  expect(isCardNumber(number)).toBe(good)
})

test('finds the brand by the first digits', () => {
  expect(['4', '55', '2221', '37', '6011'].map(brandOf)).toEqual([
    'visa',
    'mastercard',
    'mastercard',
    'amex',
    'other',
  ])
})
