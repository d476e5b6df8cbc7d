import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { priceList, subscriptionOf, upcomingOf } from '../../../../test/plans.ts'
import { api } from '../../../lib/api/client.ts'
import { refresh } from '../../../lib/data/query.ts'
import type { Language } from '../../../lib/i18n/language.ts'
import { session } from '../../../lib/session/store.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const startup = {
  status: 'active',
  plan: 'startup',
  seats: 8,
  seat_price: 1200,
  interval: 'month',
  current_period_start: '2026-11-20T10:00:00.000Z',
  current_period_end: '2026-12-20T10:00:00.000Z',
}

type Seen = { language?: Language; support?: boolean }

async function openBilling(change: object = {}, { language = 'en', support = false }: Seen = {}) {
  const now = subscriptionOf({ ...startup, ...change })
  const support_until = support ? '2999-01-01T00:00:00.000Z' : null
  const user = sessionUser({ plan: now.plan, subscription: now.status, locale: language, support_until })
  const page = await visit({ path: '/account/billing', user, language })
  page.server
    .answer('billing.subscription', { data: now })
    .answer('billing.upcoming', { data: upcomingOf() })
    .answer('billing.plans', { data: priceList({ active: now.plan }) })
    .answer('profile.read', { data: profileOf(user) })
    .answer('settings.read', {
      data: {
        payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' },
        inbox_url: null,
        support_email: 'help@plinth.example',
        locales: ['en', 'de'],
      },
    })
  page.open()
  return { ...page, facts: await screen.findByRole('region', { name: /^(Your plan|Ihr Tarif)$/ }) }
}
test('the next payment names the share of seats added in this period', async () => {
  const { facts, server } = await openBilling()
  server.answer('billing.upcoming', {
    data: upcomingOf({ amount: 15_600, prorated: 6000, date: startup.current_period_end }),
  })
  refresh(api.billing.upcoming)
  await waitFor(() =>
    expect(facts).toHaveTextContent(
      'Next payment on Dec 20, 2026: $156.00, including $60.00 for changes during this billing cycle',
    ),
  )
})

const expectNoBanner = () => expect(document.querySelector('.alert')).toBeNull()

describe('[route:/account/billing] [call:GET /api/account/subscription] the current plan', () => {
  test('[screen:billing.seats] [screen:billing.cycle] [state:subscription.normal] shows seats, price and cycle', async () => {
    const { facts } = await openBilling()
    expect(facts).toHaveTextContent('Startup')
    expect(within(facts).getByText('Active')).toBeVisible()
    expect(facts).toHaveTextContent('8 × $12.00per seat / month')
    expect(facts).toHaveTextContent('$96.00per month, before tax')
    expect(facts).toHaveTextContent('Nov 20 – Dec 20, 2026Next payment on Dec 20, 2026')
    expect(await screen.findByRole('link', { name: 'help@plinth.example' })).toHaveAttribute(
      'href',
      'mailto:help@plinth.example',
    )
    expectNoBanner()
  })

  test('a trial shows its end date and the first payment', async () => {
    const { facts } = await openBilling({ status: 'trialing', trial_end: '2026-12-04T10:00:00.000Z' })
    expect(within(facts).getByText('Trial')).toBeVisible()
    expect(facts).toHaveTextContent('Trial until Dec 4, 2026, then the first payment')
    expectNoBanner()
  })

  test('[screen:billing.cancel-notice] a plan that ends shows its end date and the consequences', async () => {
    const { facts } = await openBilling({ cancel_at_period_end: true })
    expect(screen.getAllByText('Your plan ends on Dec 20, 2026')).toHaveLength(2)
    const text = 'Nothing changes until then. After that, the account moves to the free plan.'
    expect(screen.getByText(text)).toBeVisible()
    expect(facts).not.toHaveTextContent('Next payment')
  })

  test('the free plan costs nothing and has no cycle', async () => {
    const { facts } = await openBilling({
      plan: 'free',
      seat_price: 0,
      interval: null,
      current_period_start: null,
      current_period_end: null,
    })
    expect(facts).toHaveTextContent('$0forever')
    expect(facts).not.toHaveTextContent('Billing cycle')
  })

  test.each(['active', 'requires_payment_method', 'requires_action', 'canceled'])(
    'shows the support address when the subscription is %s',
    async status => {
      await openBilling({ status })
      const link = await screen.findByRole('link', { name: 'help@plinth.example' })
      expect(link).toHaveAttribute('href', 'mailto:help@plinth.example')
    },
  )

  test('a metered plan shows the base price of its subscription', async () => {
    const { facts } = await openBilling({ plan: 'scale', seats: 200, seat_price: 0, base_price: 3900 })
    expect(facts).toHaveTextContent('200No price per seat')
    expect(facts).toHaveTextContent('$39.00per month + usage, before tax')
  })

  test('[feature:translated] shows the plan in German', async () => {
    const { facts } = await openBilling({}, { language: 'de' })
    expect(facts).toHaveTextContent('8 × 12,00 $pro Platz / Monat')
    expect(facts).toHaveTextContent('Nächste Zahlung am 20. Dez. 2026')
  })

  test('[error:fetch] a failed load can be retried', async () => {
    const user = sessionUser({ plan: 'startup' })
    const { server, keyboard, open } = await visit({ path: '/account/billing', user })
    server
      .answer('billing.subscription', { status: 500, json: { message: 'The till is stuck' } })
      .answer('billing.upcoming', { data: upcomingOf() })
      .answer('billing.plans', { data: priceList() })
    open()
    expect(await screen.findByText('Your plan didn’t load')).toBeVisible()
    server.answer('billing.subscription', { data: subscriptionOf(startup) })
    await keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Current plan')).toBeVisible()
  })

  test('shows a placeholder while it loads', async () => {
    const { server, open } = await visit({ path: '/account/billing', user: sessionUser() })
    server
      .answer('billing.subscription', () => new Promise(() => undefined))
      .answer('billing.upcoming', { data: upcomingOf() })
      .answer('billing.plans', { data: priceList() })
    open()
    expect(await screen.findByText('Loading')).toBeInTheDocument()
    expect(screen.queryByText('Current plan')).not.toBeInTheDocument()
  })
})

describe('[screen:billing.status-banner] a subscription that does not run', () => {
  test('[state:subscription.requires-payment-method] [text:banner.payment-failed] shows the consequences and a link to the card', async () => {
    const { server, keyboard } = await openBilling({ status: 'requires_payment_method' })
    const banner = screen.getByText('Your latest payment failed').closest('.alert')
    expect(banner).toHaveClass('alert--danger')
    expect(banner).toHaveTextContent(/try your card again in the next few days/)
    server.answer('billing.card', { data: { brand: 'visa', last4: '0341', exp_month: 12, exp_year: 2034 } })
    await keyboard.click(screen.getByRole('link', { name: 'Update card' }))
    expect(address()).toBe('/account/billing?tab=card')
    expect(screen.queryByRole('link', { name: 'Update card' })).toBeNull()
    expect(await screen.findByRole('button', { name: 'Save card and pay $49.00' })).toBeVisible()
  })

  test('[state:subscription.requires-action] [text:banner.authorize] checks whether the bank has confirmed, and shows the result', async () => {
    const { server, keyboard } = await openBilling({ status: 'requires_action' })
    const title = screen.getByText('You need to authorize your payment')
    expect(title.closest('.alert')).toHaveClass('alert--warning')
    await keyboard.click(screen.getByRole('button', { name: 'Check again' }))
    expect(await screen.findByText('Nothing new from your bank yet')).toBeVisible()
    server.answer('billing.subscription', { data: subscriptionOf(startup) })
    await keyboard.click(screen.getByRole('button', { name: 'Check again' }))
    expect(await screen.findByText('Your subscription is active')).toBeVisible()
    expect(title).not.toBeInTheDocument()
    expect(session.get()?.subscription).toBe('active')
  })

  test('shows the sum and the number of several unpaid invoices', async () => {
    const due = { amount: 9800, currency: 'usd', invoices: 2, next_attempt: null, page: null }
    await openBilling({ status: 'requires_payment_method', due })
    expect(await screen.findByText('$98.00 is due, for 2 invoices.')).toBeVisible()
  })

  test('shows that support has paused payments, and until when', async () => {
    const { facts } = await openBilling({ collection_paused: { until: '2027-01-15T10:00:00.000Z' } })
    expect(screen.getByText('Your payments are paused until Jan 15, 2027')).toBeVisible()
    expect(facts).toHaveTextContent('Payments paused')
    expect(facts).not.toHaveTextContent('Next payment')
  })

  test('[state:subscription.requires-payment-method] shows the amount due and the day of the next attempt', async () => {
    const due = {
      amount: 5831,
      currency: 'usd',
      invoices: 1,
      next_attempt: '2026-11-23T10:00:00.000Z',
      page: null,
    }
    const { facts } = await openBilling({ status: 'requires_payment_method', due })
    const banner = screen.getByText('Your latest payment failed').closest('.alert')
    expect(banner).toHaveTextContent('$58.31 is due. Your card is charged again on Nov 23, 2026.')
    expect(facts).toHaveTextContent('Unpaid, with tax$58.31')
    expect(facts).not.toHaveTextContent('before tax')
  })

  test('[feature:translated] shows the banner in German; after the last attempt it names no day', async () => {
    const due = { amount: 5831, currency: 'usd', invoices: 1, next_attempt: null, page: null }
    await openBilling({ status: 'requires_payment_method', due }, { language: 'de' })
    const banner = screen.getByText('Ihre letzte Zahlung ist fehlgeschlagen').closest('.alert')
    expect(banner).toHaveTextContent('Offener Betrag: 58,31 $.')
    expect(banner).not.toHaveTextContent(/erneut belastet/)
  })

  test('[state:subscription.requires-action] [text:banner.authorize] links to the provider to confirm the payment', async () => {
    const page = 'https://invoice.stripe.com/i/1'
    const due = { amount: 4900, currency: 'usd', invoices: 1, next_attempt: null, page }
    const { keyboard } = await openBilling({ status: 'requires_action', due })
    const banner = screen.getByText('You need to authorize your payment').closest('.alert')
    expect(banner).toHaveTextContent('$49.00 is due.')
    const way = screen.getByRole('link', { name: 'Confirm the payment' })
    expect(way).toHaveAttribute('href', page)
    expect(way).toHaveAttribute('target', '_blank')
    await keyboard.click(screen.getByRole('button', { name: 'Check again' }))
    expect(await screen.findByText('Nothing new from your bank yet')).toBeVisible()
  })

  test('[state:subscription.requires-action] support staff who impersonate a user get no link to confirm', async () => {
    const due = {
      amount: 4900,
      currency: 'usd',
      invoices: 1,
      next_attempt: null,
      page: 'https://invoice.stripe.com/i/1',
    }
    await openBilling({ status: 'requires_action', due }, { support: true })
    expect(screen.queryByRole('link', { name: 'Confirm the payment' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Check again' })).toBeVisible()
  })

  test('[state:subscription.canceled] [text:banner.canceled] [state:subscription.banner-hides] links to a new plan, and the banner disappears afterwards', async () => {
    const { server, keyboard, facts } = await openBilling({ status: 'canceled' })
    expect(screen.getByText('Your subscription has been canceled').closest('.alert')).toHaveClass(
      'alert--danger',
    )
    expect(facts).toHaveTextContent('Last planStartup')
    expect(facts).toHaveTextContent('Last billing cycle')
    expect(facts).not.toHaveTextContent('$')
    await keyboard.click(screen.getByRole('link', { name: 'Choose a plan' }))
    await waitFor(() => expect(address()).toBe('/signup/plan'))
    await keyboard.click(await screen.findByRole('radio', { name: /Free/ }))
    server
      .answer('billing.choosePlan', { data: { plan: 'free', subscription: 'active', onboarded: true } })
      .answer('billing.subscription', { data: subscriptionOf({ status: 'active', plan: 'free' }) })
    await keyboard.click(screen.getByRole('button', { name: 'Choose free' }))
    await waitFor(() => expect(address()).toBe('/dashboard'))
    const [account] = await screen.findAllByRole('link', { name: 'Account' })
    await keyboard.click(account as HTMLElement) // as: at least one link was found
    await keyboard.click(await screen.findByRole('heading', { level: 3, name: 'Billing' }))
    await screen.findByText('Current plan')
    await waitFor(expectNoBanner)
  })

  test('without a subscription it links to the plans', async () => {
    const user = sessionUser({ permission: 'master', plan: 'free', subscription: null })
    const { server, open } = await visit({ path: '/account/billing', user })
    server
      .answer('billing.subscription', { data: subscriptionOf() })
      .answer('billing.upcoming', { data: upcomingOf() })
      .answer('billing.plans', { data: priceList() })
    open()
    expect(await screen.findByText('No active subscription')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Choose a plan' })).toHaveAttribute('href', '/signup/plan')
  })
})
