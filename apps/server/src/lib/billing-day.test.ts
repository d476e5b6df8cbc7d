import { expect, test } from 'vitest'
import { billingDay } from './billing-day.ts'

test.each([
  ['en', '2027-11-25T10:23:00Z', 'November 25, 2027 (UTC)'],
  ['en', '2027-11-25T00:10:00Z', 'November 25, 2027 (UTC)'],
  ['de', '2027-11-25T23:59:59Z', '25. November 2027 (UTC)'],
])('a mail in %s names the UTC day of %s and the zone', (locale, at, words) => {
  expect(billingDay(locale, new Date(at))).toBe(words)
})
