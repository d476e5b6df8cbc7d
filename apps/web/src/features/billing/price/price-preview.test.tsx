import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { previewOf, priceList, quoteOf, subscriptionOf, upcomingOf } from '../../../../test/plans.ts'
import type { Told } from '../../../../test/server.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const startup = {
  ...{ status: 'active', plan: 'startup', seats: 8, seat_price: 1200, interval: 'month' },
  ...{ current_period_start: '2026-11-20T10:00:00.000Z', current_period_end: '2026-12-20T10:00:00.000Z' },
}
const visa = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 }
const settings = {
  payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' },
  inbox_url: null,
  support_email: 'help@plinth.example',
  locales: ['en', 'de'],
}
const changed: Told = { data: { plan: 'scale', subscription: 'active', pending_plan: null } }

/** Opens the path as the owner of an account on Startup. A change to Scale costs $37.20. */
async function openAsOwner(path: string, now: object = {}) {
  const page = await visit({ path, user: sessionUser({ plan: 'startup', subscription: 'active' }) })
  page.server
    .answer('billing.subscription', { data: subscriptionOf({ ...startup, ...now }) })
    .answer('billing.plans', { data: priceList({ active: 'startup', trial: false }) })
    .answer('billing.previewPlan', { data: previewOf({ due_now: 3720 }) })
    .answer('billing.upcoming', { data: upcomingOf() })
    .answer('billing.card', { data: visa })
    .answer('profile.read', { data: profileOf(sessionUser()) })
    .answer('settings.read', { data: settings })
    .answer('events.track', { data: {} })
    .answer('POST /v1/payment_methods', { json: { id: 'pm_1' } })
  page.open()
  return page
}
const panel = () => screen.getByRole('region', { name: 'What you will pay' })

describe('the billing page', () => {
  test('warns about exceeded limits and the end of the trial before payment', async () => {
    const page = await openAsOwner('/account/billing', { status: 'trialing' })
    page.server.answer('billing.previewPlan', {
      data: previewOf({
        over: [
          { what: 'users', used: 24, limit: 20 },
          { what: 'api_keys', used: 11, limit: 10 },
        ],
      }),
    })
    await page.keyboard.click(await screen.findByRole('radio', { name: /^Startup yearly/ }))
    await screen.findByRole('button', { name: /and pay/ })
    expect(panel()).toHaveTextContent('You have 24 users; Startup yearly includes 20. Everyone keeps access')
    expect(panel()).toHaveTextContent('You have 11 API keys; Startup yearly includes 10. They keep working')
    expect(panel()).toHaveTextContent('Your free trial ends now. Its remaining days aren’t carried over.')
  })

  test('shows used credit as a line of the price', async () => {
    const page = await openAsOwner('/account/billing')
    page.server.answer('billing.previewPlan', {
      data: previewOf({
        lines: [
          { text: 'Rest of the period on Scale', amount: 19_200, proration: true },
          { text: 'Unused on Startup', amount: -1200, proration: true },
        ],
        due_now: 2400,
      }),
    })
    await page.keyboard.click(await screen.findByRole('radio', { name: /^Scale/ }))
    await screen.findByRole('button', { name: 'Change to Scale and pay $24.00 now' })
    expect(screen.getByText('Credit used').nextSibling).toHaveTextContent('−$156.00')
  })

  test('replaces a changed price, which the next click pays', async () => {
    const page = await openAsOwner('/account/billing')
    await page.keyboard.click(await screen.findByRole('radio', { name: /^Scale/ }))
    const next = previewOf({ due_now: 5120 })
    page.server
      .answer('billing.changePlan', {
        status: 409,
        json: { message: 'The price has changed.', code: 'price_changed', data: next },
      })
      .answer('billing.previewPlan', { data: next })
    await page.keyboard.click(
      await screen.findByRole('button', { name: 'Change to Scale and pay $37.20 now' }),
    )
    expect(await screen.findByText('The price has changed. Nothing was charged.')).toBeVisible()
    page.server.answer('billing.changePlan', changed)
    await page.keyboard.click(screen.getByRole('button', { name: 'Change to Scale and pay $51.20 now' }))
    await screen.findByText('Your plan is now Scale')
    expect(page.server.asked('billing.changePlan').map(({ body }) => body)).toMatchObject([
      { quote: quoteOf(3720) },
      { quote: quoteOf(5120) },
    ])
  })

  test('shows the amount of the next payment and the credit', async () => {
    const page = await openAsOwner('/account/billing')
    await screen.findByRole('tab', { name: 'Card' })
    page.server.answer('billing.upcoming', {
      data: upcomingOf({ credit: 3700, date: startup.current_period_end, amount: 5900 }),
    })
    await page.keyboard.click(screen.getByRole('tab', { name: 'Card' }))
    await page.keyboard.click(screen.getByRole('tab', { name: 'Plan' }))
    expect(await screen.findByText('Next payment on Dec 20, 2026: $59.00')).toBeVisible()
    expect(screen.getByText('$37.00')).toBeVisible()
    expect(screen.getByText('applied to your next invoices')).toBeVisible()
  })
})

test.each([
  ['free', { plan: 'free', status: 'active', seat_price: 0 }],
  ['canceled', { status: 'canceled' }],
  ['past due', { status: 'requires_payment_method' }],
])('shows the credit of an account that is %s', async (_what, now) => {
  const page = await openAsOwner('/account/billing', now)
  page.server.answer('billing.upcoming', { data: upcomingOf({ credit: 3700 }) })
  await page.keyboard.click(await screen.findByRole('tab', { name: 'Plan' }))
  expect(await screen.findByText('$37.00')).toBeVisible()
})

describe('the upgrade page', () => {
  test('pays with the saved card', async () => {
    const page = await openAsOwner('/account/upgrade?plan=scale')
    expect(await screen.findByText('Visa ending 4242')).toBeVisible()
    expect(screen.queryByLabelText('Card number')).toBeNull()
    page.server.answer('billing.changePlan', {
      data: { plan: 'scale', subscription: 'active', pending_plan: null },
    })
    await page.keyboard.click(await screen.findByRole('button', { name: 'Pay $37.20' }))
    await screen.findByText('You’re now on Scale')
    expect(page.server.asked('billing.changePlan').map(({ body }) => body)).toEqual([
      { plan: 'scale', quote: quoteOf(3720) },
    ])
  })

  test('pays with another card instead of the saved one', async () => {
    const page = await openAsOwner('/account/upgrade?plan=scale')
    await page.keyboard.click(await screen.findByRole('button', { name: 'Use another card' }))
    page.server.answer('billing.upgrade', {
      data: { plan: 'scale', subscription: 'active', pending_plan: null },
    })
    await page.keyboard.type(await screen.findByLabelText('Card number'), '4242424242424242')
    await page.keyboard.type(screen.getByLabelText(/Expiry/), '1234')
    await page.keyboard.type(screen.getByLabelText('Security code'), '123')
    await page.keyboard.click(screen.getByRole('button', { name: 'Pay $37.20' }))
    await screen.findByText('You’re now on Scale')
    expect(page.server.asked('billing.upgrade')[0]?.body).toMatchObject({
      token: 'pm_1',
      quote: quoteOf(3720),
    })
  })
})
