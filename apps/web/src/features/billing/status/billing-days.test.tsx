import { screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { priceList, subscriptionOf } from '../../../../test/plans.ts'
import { billingDay, billingSpan, day } from '../../../lib/i18n/format.ts'

const Real = Intl.DateTimeFormat
afterEach(() => {
  Object.defineProperty(Intl, 'DateTimeFormat', { value: Real })
})

/** Formats dates in this zone by default, since a worker thread can't change its time zone. */
function setTimeZone(zone: string) {
  class Zoned extends Real {
    constructor(locales?: string, options?: Intl.DateTimeFormatOptions) {
      super(locales, { timeZone: zone, ...options })
    }
  }
  Object.defineProperty(Intl, 'DateTimeFormat', { value: Zoned })
}

/** UTC+14, and an evening in the US, when it is already the next day in UTC. */
const zones = [
  ['Pacific/Kiritimati', '2027-11-25T10:23:00.000Z', 'Nov 26, 2027'],
  ['America/Los_Angeles', '2027-11-25T02:30:00.000Z', 'Nov 24, 2027'],
] as const

describe.each(zones)('in %s at %s', (zone, at, here) => {
  test('a billing day is the UTC day, as in mails; other days are in the user’s zone', () => {
    setTimeZone(zone)
    expect(day(at)).toBe(here)
    expect(billingDay(at)).toBe('Nov 25, 2027')
    expect(billingSpan('2027-10-25T10:23:00.000Z', at)).toMatch(/^Oct 25\s–\sNov 25, 2027$/)
  })

  test('the plan ends on the UTC day, and the cycle names the time zone', async () => {
    setTimeZone(zone)
    const plan = { plan: 'startup', status: 'active', cancel_at_period_end: true } as const
    const dates = { current_period_start: '2027-10-25T10:23:00.000Z', current_period_end: at }
    const user = sessionUser({ plan: plan.plan, subscription: plan.status })
    const page = await visit({ path: '/account/billing', user })
    page.server
      .answer('billing.subscription', { data: subscriptionOf({ ...plan, ...dates }) })
      .answer('billing.plans', { data: priceList({ active: plan.plan }) })
      .answer('profile.read', { data: profileOf(user) })
    page.open()
    expect((await screen.findAllByText(/ends on Nov 25, 2027/))[0]).toBeVisible()
    expect(screen.getByText('Billing cycle (UTC)')).toBeVisible()
    expect(screen.queryByText(new RegExp(here))).toBeNull()
  })
})
