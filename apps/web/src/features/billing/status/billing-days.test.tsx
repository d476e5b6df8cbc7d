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

/** A worker thread can't change its time zone: dates without one are written in this zone. */
function stayIn(zone: string) {
  class Zoned extends Real {
    constructor(locales?: string, options?: Intl.DateTimeFormatOptions) {
      super(locales, { timeZone: zone, ...options })
    }
  }
  Object.defineProperty(Intl, 'DateTimeFormat', { value: Zoned })
}

/** East of the date line; and an evening in the United States, when it is tomorrow in UTC. */
const zones = [
  ['Pacific/Kiritimati', '2027-11-25T10:23:00.000Z', 'Nov 26, 2027'],
  ['America/Los_Angeles', '2027-11-25T02:30:00.000Z', 'Nov 24, 2027'],
] as const

describe.each(zones)('in %s at %s', (zone, at, here) => {
  test('a billing day is the UTC day that the mail names; another day is the reader’s', () => {
    stayIn(zone)
    expect(day(at)).toBe(here)
    expect(billingDay(at)).toBe('Nov 25, 2027')
    expect(billingSpan('2027-10-25T10:23:00.000Z', at)).toMatch(/^Oct 25\s–\sNov 25, 2027$/)
  })

  test('the plan ends on the day of the mail, and the cycle names its zone', async () => {
    stayIn(zone)
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
