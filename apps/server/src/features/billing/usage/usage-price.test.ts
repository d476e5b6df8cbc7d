import { planOf } from '@plinth/contract/plans'
import { expect, it } from 'vitest'
import { invariant } from '../../../lib/invariant.ts'
import { isProviderLink } from '../core/document-links.ts'
import { monthAround, priceOfUsage } from './usage-price.ts'

const { tiers } = invariant(planOf('scale').metered, 'tiers')

it.each([
  [0, 0],
  [10_000, 0],
  [10_001, 0],
  [10_002, 0],
  // 0.6 of a cent.
  [10_003, 1],
  [10_015, 3],
  [100_000, 18_000],
  [100_001, 18_000],
  // Half a cent goes up.
  [100_005, 18_001],
  [100_015, 18_002],
  [1_000_000, 108_000],
  [9_007_199_254_740_991, 900_719_925_482_099],
])('%i used cost %i', (quantity, cents) => {
  expect(priceOfUsage(tiers, quantity)).toBe(cents)
})

it('adds up exactly before it rounds, where floating point would be off', () => {
  const odd = [
    { up_to: 1, unit_amount_decimal: '1.005' },
    { up_to: 3, unit_amount_decimal: '0.2475' },
    { up_to: null, unit_amount_decimal: '0.000000000001' },
  ]
  expect([1, 3, 4].map(quantity => priceOfUsage(odd, quantity))).toEqual([1, 2, 2])
})

it.each([
  ['2026-11-30T23:59:59.999Z', '2026-11', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['2028-02-01T00:00:00.000Z', '2028-02', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
])('%s is in %s', (now, name, start, end) => {
  expect(monthAround(new Date(now))).toEqual({ name, start: new Date(start), end: new Date(end) })
})

it.each([
  ['https://pay.stripe.com/invoice/acct_1/test_1/pdf?s=ap', true],
  ['https://files.stripe.com/x', true],
  ['http://pay.stripe.com/x', false],
  ['https://pay.stripe.com:8443/x', false],
  ['https://evilstripe.com/x', false],
  ['https://stripe.com.evil.example/x', false],
  ['https://pay.stripe.com@evil.example/x', false],
  ['https://user@pay.stripe.com/x', false],
  ['javascript:alert(1)//stripe.com', false],
  ['//pay.stripe.com/x', false],
  ['http://localhost:5001/sandbox/invoices/in_1/pdf', true],
  ['http://localhost:5002/sandbox/invoices/in_1/pdf', false],
])('a document at %s is linked to: %s [V3.7.3]', (link, may) => {
  expect(isProviderLink(link, 'http://localhost:5001')).toBe(may)
  if (link.includes('localhost')) expect(isProviderLink(link, null)).toBe(false)
})
