import { cleanup, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { previewOf, priceList, quoteOf, subscriptionOf, upcomingOf } from '../../../../test/plans.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const startup = {
  ...{ status: 'active', plan: 'startup', seats: 8, seat_price: 1200, interval: 'month' },
  ...{ current_period_start: '2026-11-20T10:00:00.000Z', current_period_end: '2026-12-20T10:00:00.000Z' },
}
const preview = (change: object) => previewOf({ quote: quoteOf(0), ...change })

async function openBilling(now: object = {}) {
  const data = subscriptionOf({ ...startup, ...now })
  const user = sessionUser({ plan: data.plan, subscription: data.status })
  const page = await visit({ path: '/account/billing', user })
  page.server
    .answer('billing.subscription', { data })
    .answer('billing.upcoming', { data: upcomingOf() })
    .answer('billing.plans', { data: priceList({ active: data.plan }) })
    .answer('billing.previewPlan', { data: preview({}) })
    .answer('billing.card', { data: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 } })
    .answer('billing.usage', { status: 500 })
    .answer('profile.read', { data: profileOf(user) })
    .answer('settings.read', { data: { support_email: 'help@plinth.example', locales: ['en'] } })
  page.open()
  await screen.findByRole('tab', { name: 'Plan' })
  return page
}
const selectPlan = async ({ keyboard }: Pick<Awaited<ReturnType<typeof visit>>, 'keyboard'>, plan: RegExp) =>
  keyboard.click(await screen.findByRole('radio', { name: plan }))
const changed = (change: object) => ({
  data: { plan: 'scale', subscription: 'active', pending_plan: null, ...change },
})
const panel = () => screen.getByRole('region', { name: 'What you will pay' })

describe('[state:plan.to-free] a change to the free plan', () => {
  test('[screen:billing.free-warning] warns that it happens at the end of the period; the planned end is shown and can be undone', async () => {
    const page = await openBilling()
    const last = { plan: 'free', when: 'period_end', lines: [], due_now: 0, next_amount: 2400 }
    page.server.answer('billing.previewPlan', { data: preview({ ...last, quote: quoteOf(0) }) })
    await selectPlan(page, /^Free/)
    const warning = screen.getByText('Startup stays until Dec 20, 2026').closest('.alert')
    expect(warning).toHaveClass('alert--warning')
    expect(warning).toHaveTextContent('free plan’s limits apply: 3 users, 1 API key')
    await waitFor(() => expect(warning).toHaveTextContent('your last invoice that day comes to $24.00'))
    expect(warning).not.toHaveTextContent('Usage')
    page.server
      .answer('billing.upcoming', { data: upcomingOf({ amount: 2400, date: startup.current_period_end }) })
      .answer('billing.previewPlan', ({ query }) =>
        query.get('plan') === 'free'
          ? { data: preview({ ...last, quote: quoteOf(0) }) }
          : { data: preview({ plan: 'startup', when: 'none', quote: quoteOf(1) }) },
      )
    page.server
      .answer('billing.changePlan', changed({ plan: 'startup', pending_plan: 'free' }))
      .answer('billing.subscription', {
        data: subscriptionOf({ ...startup, cancel_at_period_end: true, pending_plan: 'free' }),
      })
    await page.keyboard.click(screen.getByRole('button', { name: 'Change to free at period end' }))
    const keep = await screen.findByRole('button', { name: 'Keep Startup' })
    expect(page.server.asked('billing.changePlan')[0]?.body).toEqual({ plan: 'free', quote: quoteOf(0) })
    expect(screen.getAllByText('Your plan ends on Dec 20, 2026')).toHaveLength(2)
    expect(screen.getByRole('radio', { name: /^Startup ?Current/ })).toBeChecked()
    expect(keep.closest('.alert')).toHaveTextContent('your last invoice that day comes to $24.00')

    await selectPlan(page, /^Free/)
    expect(screen.getByText(/There’s nothing else to do/)).toBeVisible()
    expect(screen.queryByRole('button', { name: /at period end/ })).toBeNull()

    page.server
      .answer('billing.changePlan', changed({ plan: 'startup' }))
      .answer('billing.subscription', { data: subscriptionOf(startup) })
    await page.keyboard.click(keep)
    expect(await screen.findByText('You’re keeping Startup')).toBeVisible()
    expect(page.server.asked('billing.changePlan')[1]?.body).toEqual({ plan: 'startup', quote: quoteOf(1) })
    expect(keep).not.toBeInTheDocument()
  })
})

test('ending a plan with usage shows when usage is billed, before and after the change', async () => {
  const ending = { plan: 'scale', seat_price: 4900, cancel_at_period_end: true }
  await openBilling(ending)
  const keep = await screen.findByRole('button', { name: 'Keep Scale' })
  expect(keep.closest('.alert')).toHaveTextContent('Usage until then is billed that day.')
  cleanup()
  const page = await openBilling({ plan: 'scale', seat_price: 4900 })
  await selectPlan(page, /^Free/)
  expect(panel()).toHaveTextContent('Usage until then is billed that day.')
})

test('ending a plan with a payment due warns that the account stays locked until it is paid', async () => {
  const page = await openBilling({ status: 'requires_payment_method' })
  page.server.answer('billing.previewPlan', {
    data: preview({
      ...{ plan: 'free', when: 'period_end', lines: [], due_now: 0 },
      over: [
        { what: 'users', used: 8, limit: 3 },
        { what: 'api_keys', used: 4, limit: 1 },
      ],
    }),
  })
  await selectPlan(page, /^Free/)
  expect(await screen.findByText('Startup ends on Dec 20, 2026')).toBeVisible()
  expect(panel()).toHaveTextContent(
    'The amount due now stays due. Your account stays locked until it’s paid.',
  )
  expect(panel()).toHaveTextContent('You have 8 users; Free includes 3. You can’t add anyone')
  expect(panel()).toHaveTextContent('You have 4 API keys; Free includes 1. You can’t create another')
  expect(panel()).not.toHaveTextContent(/stays until|keeps access|keep working/)
})
