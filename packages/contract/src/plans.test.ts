import { describe, expect, test } from 'vitest'
import { cheapestPlanFor, isPlanId, planIds, planOf } from './plans.ts'

describe('plans', () => {
  test('each plan has the price and interval of the price list', () => {
    expect(planIds.map(id => [id, planOf(id).price, planOf(id).interval])).toEqual([
      ['free', 0, null],
      ['startup', 1200, 'month'],
      ['startup_yearly', 12_000, 'year'],
      ['scale', 4900, 'month'],
    ])
    expect([isPlanId('scale'), isPlanId('gold'), isPlanId('__proto__')]).toEqual([true, false, false])
  })
  test('cheapestPlanFor returns the cheapest plan with a sufficient limit', () => {
    expect([
      cheapestPlanFor('users', 3),
      cheapestPlanFor('users', 4),
      cheapestPlanFor('users', 21),
      cheapestPlanFor('api_keys', 101),
    ]).toEqual(['free', 'startup', 'scale', null])
  })
})
