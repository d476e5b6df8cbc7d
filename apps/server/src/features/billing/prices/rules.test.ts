import { planOf } from '@plinth/contract/plans'
import { describe, expect, it } from 'vitest'
import { moveToPlan, onePeriodAfter, planLabel, prorationDate } from './rules.ts'

describe('planLabel [entity:plan.label]', () => {
  it.each([
    [planOf('free'), 'Free', null, 'Free $0'],
    [planOf('startup'), 'Startup', 'month', 'Startup $12/month'],
    [planOf('startup_yearly'), 'Startup jährlich', 'Jahr', 'Startup jährlich $120/Jahr'],
    [{ ...planOf('scale'), price: 4950 }, 'Scale', 'month', 'Scale $49.50/month'],
  ])('%#: names, prices and paces a plan', (plan, name, per, label) => {
    expect(planLabel(plan, name, per)).toBe(label)
  })
})

describe('how a plan is moved to', () => {
  it.each([
    ['scale', 1, 'active', 'month', 1200, true, false],
    ['scale', 1, 'active', 'month', 6000, false, false],
    ['startup', 1, 'active', 'month', 4900, false, false],
    ['startup', 1, 'active', 'year', 12_000, true, false],
    ['scale', 1, 'trialing', 'month', 1200, true, true],
  ] as const)(
    '%s with %i seats, %s by the %s at %i',
    (plan, seats, status, interval, price, bills, endsTrial) =>
      expect(moveToPlan(planOf(plan), seats, { status, interval, price })).toEqual({ bills, endsTrial }),
  )
})

describe('the second that divides the period', () => {
  const now = new Date('2027-03-10T12:00:00.500Z')
  const period = { start: new Date('2027-03-01T00:00:00Z'), end: new Date('2027-04-01T00:00:00Z') }
  const seconds = Math.floor(now.getTime() / 1000)
  it.each([
    [undefined, seconds],
    [seconds - 600, seconds - 600],
    [seconds - 901, seconds],
    [seconds + 30, seconds + 30],
    [seconds + 3600, seconds],
  ])('previewed at %s', (previewed, at) =>
    expect(prorationDate(now, previewed, period)).toEqual(new Date(at * 1000)),
  )
  it('is the provider’s own outside the period', () =>
    expect(prorationDate(now, undefined, { ...period, end: period.start })).toBeNull())
})

it.each([
  ['2027-01-31T10:00:00Z', 'month', '2027-02-28T10:00:00.000Z'],
  ['2027-12-15T10:00:00Z', 'month', '2028-01-15T10:00:00.000Z'],
  ['2028-02-29T10:00:00Z', 'year', '2029-02-28T10:00:00.000Z'],
] as const)('one period after %s, by the %s: %s', (from, interval, after) =>
  expect(onePeriodAfter(new Date(from), interval).toISOString()).toBe(after),
)
