import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { priceList, quoteOf, subscriptionOf, upcomingOf } from '../../../../test/plans.ts'
import type { Told } from '../../../../test/server.ts'
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
const free = { ...startup, plan: 'free', seat_price: 0, interval: null, current_period_end: null }

const preview = (change: object = {}) => ({
  plan: 'scale',
  when: 'now',
  lines: [
    { text: 'Unused time on Startup', amount: -6400, proration: true },
    { text: 'Remaining time on Scale', amount: 9800, proration: true },
  ],
  tax: 320,
  due_now: 3720,
  credit: 0,
  next_date: '2026-12-20T10:00:00.000Z',
  ...{ next_amount: 4900, currency: 'usd', quote: quoteOf(3720) },
  ...change,
})
const visa = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 }
const settings = {
  payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' },
  inbox_url: null,
  support_email: 'help@plinth.example',
  locales: ['en', 'de'],
}

type Given = { now?: object; path?: string; user?: object; language?: Language }

async function openBilling({ now = {}, path = '/account/billing', user: who = {}, language }: Given = {}) {
  const data = subscriptionOf({ ...startup, ...now })
  const user = sessionUser({ plan: data.plan, subscription: data.status, locale: language ?? 'en', ...who })
  const page = await visit({ path, user, ...(language && { language }) })
  page.server
    .answer('billing.subscription', { data })
    .answer('billing.upcoming', { data: upcomingOf() })
    .answer('billing.plans', { data: priceList({ active: data.plan }) })
    .answer('billing.previewPlan', { data: preview() })
    .answer('billing.card', { data: visa })
    .answer('billing.usage', { status: 500 })
    .answer('profile.read', { data: profileOf(user) })
    .answer('settings.read', { data: settings })
  page.open()
  await screen.findByRole('tab', { name: language === 'de' ? 'Tarif' : 'Plan' })
  return page
}
const selectPlan = async ({ keyboard }: Pick<Awaited<ReturnType<typeof visit>>, 'keyboard'>, plan: RegExp) =>
  keyboard.click(await screen.findByRole('radio', { name: plan }))
const changed = (change: object = {}): Told => ({
  data: { plan: 'scale', subscription: 'active', pending_plan: null, ...change },
})
const pay = () => screen.findByRole('button', { name: 'Change to Scale and pay $37.20 now' })
const panel = () => screen.getByRole('region', { name: 'What you will pay' })

describe('[screen:billing.tabs] the billing tabs', () => {
  test('a paid plan has three tabs, which are in the URL and work with arrow keys', async () => {
    const { keyboard, server } = await openBilling()
    server.answer('billing.invoices', {
      json: { data: [], page: { start: 0, total: null, previous: null, next: null } },
    })
    expect(screen.getAllByRole('tab').map(tab => tab.textContent)).toEqual(['Plan', 'Card', 'Invoices'])
    screen.getByRole('tab', { name: 'Plan' }).focus()
    await keyboard.keyboard('{ArrowRight}')
    expect(screen.getByRole('tab', { name: 'Card' })).toHaveFocus()
    expect(address()).toBe('/account/billing?tab=card')
    expect(await screen.findByRole('tabpanel', { name: 'Card' })).toHaveTextContent('Visa')
    await keyboard.keyboard('{End}')
    expect(address()).toBe('/account/billing?tab=invoices')
    expect(await screen.findByText('No invoices yet')).toBeVisible()
    window.history.back()
    await waitFor(() =>
      expect(screen.getByRole('tab', { name: 'Card' })).toHaveAttribute('aria-selected', 'true'),
    )
  })

  test('the free plan has one tab, even if the URL names another', async () => {
    await openBilling({ now: free, path: '/account/billing?tab=invoices' })
    expect(screen.getAllByRole('tab')).toHaveLength(1)
    expect(screen.getByRole('tabpanel', { name: 'Plan' })).toHaveTextContent('Current plan')
  })

  test('a reload opens the tab in the URL', async () => {
    await openBilling({ path: '/account/billing?tab=card' })
    expect(screen.getByRole('tab', { name: 'Card' })).toHaveAttribute('aria-selected', 'true')
  })

  test('leaving billing with a selected plan does not navigate back', async () => {
    const page = await openBilling()
    page.server.answer('billing.previewPlan', () => new Promise(() => undefined))
    await selectPlan(page, /^Scale/)
    expect(address()).toBe('/account/billing?plan=scale')
    const [profile] = screen.getAllByRole('link', { name: 'Profile' })
    await page.keyboard.click(profile as HTMLElement) // as: the account navigation has this link
    await waitFor(() => expect(screen.queryByRole('tab')).toBeNull())
    expect(address()).toBe('/account/profile')
  })
})

describe('[screen:billing.plan-form] a plan change', () => {
  test('marks the current plan and has no button until another plan is selected', async () => {
    const { server } = await openBilling()
    const current = await screen.findByRole('radio', { name: /^Startup ?Current/ })
    expect(current).toBeChecked()
    expect(panel()).toHaveTextContent('Choose another plan to see what it costs')
    expect(within(panel()).queryByRole('button')).toBeNull()
    expect(server.asked('billing.previewPlan')).toHaveLength(0)
  })

  test('[call:PATCH /api/account/plan] shows the price first, and the button names the change and the amount', async () => {
    const page = await openBilling()
    await selectPlan(page, /^Scale/)
    expect(address()).toBe('/account/billing?plan=scale')
    const button = await pay()
    expect(panel()).toHaveTextContent('Unused time on Startup−$64.00')
    expect(panel()).toHaveTextContent('Tax$3.20Due now$37.20')
    expect(panel()).toHaveTextContent('Your next invoice, on Dec 20, 2026, will be $49.00.')
    expect(await within(panel()).findByText(/Visa ending 4242/)).toBeVisible()
    page.server
      .answer('billing.changePlan', changed())
      .answer('billing.subscription', { data: subscriptionOf({ ...startup, plan: 'scale', seat_price: 0 }) })
      .answer('billing.upcoming', { data: upcomingOf() })
      .answer('billing.plans', { data: priceList({ active: 'scale' }) })
    await page.keyboard.dblClick(button)
    expect(await screen.findByText('Your plan is now Scale')).toBeVisible()
    expect(page.server.asked('billing.changePlan').map(({ body }) => body)).toEqual([
      { plan: 'scale', quote: quoteOf(3720) },
    ])
    expect(await screen.findByRole('radio', { name: /^Scale ?Current/ })).toBeChecked()
    expect(session.get()).toMatchObject({ plan: 'scale', subscription: 'active' })
    expect(address()).toBe('/account/billing')
    expect(screen.getByRole('main')).toHaveFocus()
  })

  test('a cheaper plan gives credit and costs nothing now', async () => {
    const page = await openBilling()
    page.server.answer('billing.previewPlan', {
      data: preview({ due_now: 0, credit: 1250, proration_date: null }),
    })
    await selectPlan(page, /^Scale/)
    expect(await screen.findByRole('button', { name: 'Change to Scale' })).toBeEnabled()
    expect(panel()).toHaveTextContent('Credit for the next invoices$12.50')
    page.server.answer('billing.changePlan', changed())
    await page.keyboard.click(screen.getByRole('button', { name: 'Change to Scale' }))
    await screen.findByText('Your plan is now Scale')
    expect(page.server.asked('billing.changePlan')[0]?.body).toEqual({ plan: 'scale', quote: quoteOf(3720) })
  })

  test('the selection survives a reload, and a price that did not load can be retried', async () => {
    const user = sessionUser({ plan: 'startup', subscription: 'active' })
    const page = await visit({ path: '/account/billing?plan=scale', user })
    page.server
      .answer('billing.subscription', { data: subscriptionOf(startup) })
      .answer('billing.upcoming', { data: upcomingOf() })
      .answer('billing.plans', { data: priceList({ active: 'startup' }) })
      .answer('billing.card', { data: visa })
      .answer('billing.previewPlan', {
        status: 503,
        json: { message: 'The payment provider does not answer', code: 'payment_provider_down' },
      })
    page.open()
    expect(await screen.findByText(/The price didn’t load/)).toBeVisible()
    expect(screen.getByRole('radio', { name: /^Scale/ })).toBeChecked()
    expect(screen.queryByRole('button', { name: /^Change to/ })).toBeNull()
    page.server.answer('billing.previewPlan', { data: preview() })
    await page.keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await pay()).toBeEnabled()
  })

  test('Enter in the plan list sends nothing while the price loads', async () => {
    const page = await openBilling()
    page.server.answer('billing.previewPlan', () => new Promise(() => undefined))
    await selectPlan(page, /^Scale/)
    expect(await screen.findByText('Loading the price')).toBeInTheDocument()
    await page.keyboard.keyboard('{Enter}')
    expect(page.server.asked('billing.changePlan')).toHaveLength(0)
  })

  test('a declined card shows an error at the button and a link to the card, until the selection changes', async () => {
    const page = await openBilling()
    await selectPlan(page, /^Scale/)
    page.server.answer('billing.changePlan', {
      status: 422,
      json: { message: 'Your card was declined', code: 'card_declined', inputError: 'token' },
    })
    await page.keyboard.click(await pay())
    expect(await screen.findByText('Your card was declined')).toBeVisible()
    expect(await pay()).toHaveFocus()
    expect(await pay()).toHaveAccessibleDescription('Your card was declined')
    // The current plan may have changed in another tab.
    await waitFor(() => expect(page.server.asked('billing.subscription').length).toBeGreaterThan(1))
    expect(screen.getByRole('link', { name: 'Use another card' })).toHaveAttribute(
      'href',
      '/account/billing?tab=card&plan=scale',
    )
    await selectPlan(page, /^Startup yearly/)
    await waitFor(() => expect(screen.queryByText('Your card was declined')).toBeNull())
  })

  test('[rule:form.card.action] the bank’s page opens for the saved card, and its confirmation is sent', async () => {
    const page = await openBilling()
    await selectPlan(page, /^Scale/)
    const bodies: unknown[] = []
    page.server
      .answer('billing.changePlan', ({ body }) => {
        bodies.push(body)
        return bodies.length === 1
          ? { data: { requires_payment_action: true, client_secret: 'pi_1_secret_x', kind: 'payment' } }
          : changed()
      })
      .answer('GET /v1/payment_intents/pi_1', { json: { id: 'pi_1', status: 'requires_action' } })
    await page.keyboard.click(await pay())
    const bank = within(await screen.findByRole('dialog', { name: 'Confirm with your bank' }))
    expect(bank.getByTitle('Your bank')).toBeVisible()
    await page.keyboard.click(bank.getByRole('button', { name: 'Close' }))
    expect(await screen.findByText(/You closed your bank’s page/)).toBeVisible()
    bodies.length = 0
    page.server.answer('GET /v1/payment_intents/pi_1', { json: { id: 'pi_1', status: 'succeeded' } })
    await page.keyboard.click(await pay())
    expect(await screen.findByText('Your plan is now Scale')).toBeVisible()
    expect(bodies[1]).toMatchObject({ plan: 'scale', payment_intent: 'pi_1' })
  })

  test('a plan that another tab has made the current one has no price and no button', async () => {
    const page = await openBilling()
    page.server.answer('billing.previewPlan', { data: preview({ when: 'none', lines: [], due_now: 0 }) })
    await selectPlan(page, /^Scale/)
    await waitFor(() => expect(page.server.asked('billing.previewPlan')).toHaveLength(1))
    await waitFor(() => expect(panel()).toHaveTextContent('Choose another plan'))
    expect(within(panel()).queryByRole('button')).toBeNull()
  })

  test('the free plan links to the upgrade page, which asks for a card', async () => {
    const page = await openBilling({ now: free })
    expect(panel()).toHaveTextContent('Choose another plan')
    await selectPlan(page, /^Startup yearly/)
    expect(screen.getByRole('link', { name: 'Continue with Startup yearly' })).toHaveAttribute(
      'href',
      '/account/upgrade?plan=startup_yearly',
    )
    expect(page.server.asked('billing.previewPlan')).toHaveLength(0)
  })

  test('a paid plan without a saved card links to the upgrade page', async () => {
    const page = await openBilling()
    page.server.answer('billing.card', {
      data: { brand: null, last4: null, exp_month: null, exp_year: null },
    })
    await selectPlan(page, /^Scale/)
    expect(await screen.findByRole('link', { name: 'Continue with Scale' })).toBeVisible()
    expect(panel()).toHaveTextContent('Due now$37.20')
    expect(within(panel()).queryByRole('button')).toBeNull()
  })

  test('with a payment due no price is loaded; only the free plan can be selected', async () => {
    const page = await openBilling({ now: { status: 'requires_payment_method' } })
    await selectPlan(page, /^Scale/)
    expect(panel()).toHaveTextContent('A payment is due')
    expect(within(panel()).getByRole('link', { name: 'Update card' })).toBeVisible()
    await selectPlan(page, /^Free/)
    expect(panel()).toHaveTextContent('The amount due now stays due')
    expect(await screen.findByRole('button', { name: 'Change to free at period end' })).toBeEnabled()
    expect(page.server.asked('billing.previewPlan').map(({ query }) => query.get('plan'))).toEqual(['free'])
  })

  test.each([
    ['a canceled subscription', { now: { status: 'canceled' } }],
    ['support that acts as the owner', { user: { support_until: '2099-01-01T00:00:00.000Z' } }],
  ])('%s has no plan form', async (_who, given) => {
    await openBilling(given)
    expect(await screen.findByText('Startup')).toBeVisible()
    expect(screen.queryAllByRole('radio')).toHaveLength(0)
  })

  test('[feature:translated] shows the price and the button in German', async () => {
    const page = await openBilling({ language: 'de' })
    await selectPlan(page, /^Scale/)
    expect(
      await screen.findByRole('button', { name: /^Zu Scale wechseln und jetzt 37,20\s\$ zahlen$/ }),
    ).toBeEnabled()
    expect(screen.getByText(/^Ihre nächste Rechnung am 20. Dez. 2026 beträgt 49,00\s\$\.$/)).toBeVisible()
  })
})

describe('[screen:billing.usage] the usage of a tiered plan', () => {
  const scale = { plan: 'scale', seat_price: 0 }

  test('[entity:usage] [call:GET /api/account/usage] shows total, unit, period and the cost so far', async () => {
    const page = await openBilling({ now: scale })
    await page.keyboard.click(await screen.findByRole('button', { name: 'Try again' }))
    page.server.answer('billing.usage', {
      data: {
        total: 12_345,
        label: 'events',
        period: 'November 20 – December 19, 2026',
        period_start: startup.current_period_start,
        period_end: startup.current_period_end,
        amount: 469,
      },
    })
    await page.keyboard.click(await screen.findByRole('button', { name: 'Try again' }))
    const facts = await screen.findByRole('region', { name: 'Usage' })
    expect(facts).toHaveTextContent('12,345 eventsNovember 20 – December 19, 2026')
    expect(facts).toHaveTextContent('$4.69before tax, on the next invoice')
  })

  test('is not shown on other plans', async () => {
    const { server } = await openBilling()
    expect(server.asked('billing.usage')).toHaveLength(0)
  })
})
