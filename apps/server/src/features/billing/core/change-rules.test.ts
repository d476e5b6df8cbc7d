import { planOf } from '@plinth/contract/plans'
import { describe, expect, it } from 'vitest'
import { moveToPlan, nextStep, onePeriodAfter, prorationDate } from './rules.ts'

const running = { status: 'active', plan: 'scale', cancelAtPeriodEnd: false, pendingUpdate: false } as const
const to = (plan: string) => ({ plan, card_token: null, replaced_at: null })

describe('what a change needs next', () => {
  it.each([
    [to('scale'), running, 'done'],
    [to('free'), running, 'end'],
    [to('free'), { ...running, cancelAtPeriodEnd: true }, 'done'],
    [to('scale'), { ...running, cancelAtPeriodEnd: true }, 'keep'],
    [to('startup'), running, 'items'],
    [to('startup'), { ...running, pendingUpdate: true }, 'payment'],
    [to('startup'), { ...running, status: 'past_due' }, 'owing'],
    [to('free'), { ...running, status: 'past_due' }, 'end'],
    [to('startup'), { ...running, status: 'canceled' }, 'gone'],
    [{ ...to('scale'), card_token: 'pm_1' }, running, 'card'],
    [{ ...to('scale'), card_token: 'pm_1', replaced_at: new Date() }, running, 'done'],
  ] as const)('%o of %o: %s', (aim, found, step) => expect(nextStep(aim, found)).toBe(step))
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
