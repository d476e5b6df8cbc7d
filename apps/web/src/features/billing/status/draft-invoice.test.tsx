import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { priceList, subscriptionOf, upcomingOf } from '../../../../test/plans.ts'

test.each([
  [{ total: 30_900, amount: 30_900 }, 'Charged within about an hour'],
  [{ total: 30_900, amount: 11_800 }, '$118.00 after credit, charged within about an hour'],
])('shows the draft invoice of a renewal: %j', async (draft, text) => {
  const user = sessionUser({ plan: 'scale', subscription: 'active' })
  const page = await visit({ path: '/account/billing', user })
  page.server
    .answer('billing.subscription', { data: subscriptionOf({ plan: 'scale', status: 'active' }) })
    .answer('billing.upcoming', { data: upcomingOf({ draft }) })
    .answer('billing.plans', { data: priceList({ active: 'scale' }) })
    .answer('billing.usage', { data: { amount: 0, quantity: 0, currency: 'usd' } })
    .answer('billing.card', { data: null })
    .answer('profile.read', { data: profileOf(user) })
  page.open()
  expect(await screen.findByText('$309.00')).toBeVisible()
  expect(screen.getByText(text)).toBeVisible()
})
