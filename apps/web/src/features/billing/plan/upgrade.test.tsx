import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { sessionUser } from '../../../../test/people.ts'
import { priceList, quoteOf, subscriptionOf } from '../../../../test/plans.ts'
import type { Told } from '../../../../test/server.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import type { Language } from '../../../lib/i18n/language.ts'
import { navigate } from '../../../lib/navigate.ts'
import { session } from '../../../lib/session/store.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.useRealTimers()
})

const settings = {
  payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' },
  inbox_url: null,
  support_email: 'help@plinth.example',
  locales: ['en', 'de'],
}
const noCard = { brand: null, last4: null, exp_month: null, exp_year: null }
const free = { plan: 'free', status: 'active', seats: 3 }
const startup = { plan: 'startup', status: 'active', seats: 3, seat_price: 1200, interval: 'month' }
const toScale = {
  plan: 'scale',
  when: 'now',
  lines: [
    { text: 'Unused time on 3 × Startup', amount: -1800, proration: true },
    { text: 'Remaining time on Scale', amount: 2450, proration: true },
  ],
  tax: 0,
  due_now: 650,
  credit: 0,
  next_date: '2026-12-20T10:00:00.000Z',
  next_amount: 4900,
  currency: 'usd',
  proration_date: 1_795_000_000,
  quote: quoteOf(650),
}

/** A preview at the list price, for an account without a running paid plan. */
function listPricePreview(plan: string) {
  const amount = { startup: 3600, startup_yearly: 36_000 }[plan] ?? 4900
  const lines = [{ text: plan, amount, proration: false }]
  const rest = { discount: 0, promotion: null, proration_date: null }
  return { ...toScale, ...rest, plan, lines, due_now: amount, next_amount: amount, quote: quoteOf(amount) }
}

type Opened = { query?: string; has?: typeof free; language?: Language; more?: object }

async function openUpgrade({ query = '', has = free, language = 'en', more = {} }: Opened = {}) {
  const user = sessionUser({ plan: has.plan, subscription: has.status, locale: language })
  const page = await visit({ path: `/account/upgrade${query}`, user, language })
  page.server
    .answer('billing.plans', { data: priceList({ active: has.plan, trial: false }) })
    .answer('billing.subscription', { data: subscriptionOf({ ...has, ...more }) })
    .answer('billing.previewPlan', ({ query }) => ({
      data: has.plan === 'free' || 'status' in more ? listPricePreview(String(query.get('plan'))) : toScale,
    }))
    .answer('billing.card', { data: noCard })
    .answer('settings.read', { data: settings })
    .answer('events.track', { data: {} })
    .answer('POST /v1/payment_methods', { json: { id: 'pm_1' } })
  page.open()
  await screen.findAllByRole('radio')
  return page
}
type Page = Awaited<ReturnType<typeof openUpgrade>>

const plan = (name: RegExp) => screen.getByRole('radio', { name })
const chosen = () => screen.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked)?.value

async function typeCard({ keyboard }: Page) {
  await keyboard.type(await screen.findByLabelText('Card number'), '4242424242424242')
  await keyboard.type(screen.getByLabelText(/Expiry/), '1234')
  await keyboard.type(screen.getByLabelText('Security code'), '123')
}

describe('[route:/account/upgrade?plan=] the plan in the URL', () => {
  test('[screen:upgrade.form] [const:upgrade.no-free] is preselected among the paid plans, with a card field and the amount due', async () => {
    await openUpgrade({ query: '?plan=scale' })
    expect(screen.getAllByRole<HTMLInputElement>('radio').map(({ value }) => value)).toEqual([
      'startup',
      'startup_yearly',
      'scale',
    ])
    expect(chosen()).toBe('scale')
    expect(await screen.findByLabelText('Card number')).toBeVisible()
    expect(screen.getByText('Today').nextSibling).toHaveTextContent('$49.00')
    expect(screen.getByRole('button', { name: 'Pay $49.00' })).toBeEnabled()
    expect(document.title).toContain('Upgrade')
  })

  test.each([
    ['', free, {}, 'startup'],
    ['?plan=free', free, {}, 'startup'],
    ['?plan=gold', startup, {}, 'scale'],
    ['', { ...startup, plan: 'startup_yearly' }, {}, 'scale'],
    ['', { ...startup, plan: 'scale' }, {}, undefined],
    ['', startup, { status: 'canceled' }, 'startup'],
    ['', { ...startup, plan: 'scale' }, { status: 'canceled' }, 'scale'],
    ['', free, { status: 'canceled' }, 'startup'],
  ])('“%s” on %j %j preselects %s', async (query, has, more, expected) => {
    await openUpgrade({ query, has, more })
    expect(chosen()).toBe(expected)
  })

  test('a selection updates the URL and keeps the typed card', async () => {
    const page = await openUpgrade({ query: '?plan=startup' })
    await typeCard(page)
    await page.keyboard.click(plan(/Scale/))
    expect(address()).toBe('/account/upgrade?plan=scale')
    expect(screen.getByLabelText('Card number')).toHaveValue('4242 4242 4242 4242')
    expect(screen.getByRole('button', { name: 'Pay $49.00' })).toBeVisible()
  })
})

describe('a running paid plan', () => {
  test('is changed at the price of the provider’s quote, which is sent along', async () => {
    const page = await openUpgrade({ query: '?plan=scale', has: startup })
    expect((await screen.findByText('Unused time on 3 × Startup')).nextSibling).toHaveTextContent('−$18.00')
    expect(screen.getByText('Your next invoice, on Dec 20, 2026, will be $49.00.')).toBeVisible()
    expect(screen.getByText('Due now').nextSibling).toHaveTextContent('$6.50')
    page.server.answer('billing.upgrade', {
      data: { plan: 'scale', subscription: 'active', pending_plan: null },
    })
    await typeCard(page)
    await page.keyboard.click(screen.getByRole('button', { name: 'Pay $6.50' }))
    await screen.findByText('You’re now on Scale')
    const sent = { plan: 'scale', token: 'pm_1', quote: quoteOf(650) }
    expect(page.server.asked('billing.upgrade')[0]?.body).toEqual(sent)
  })

  test('has no button until the price is known; a failed price can be retried', async () => {
    const page = await visit({ path: '/account/upgrade?plan=scale', user: sessionUser({ plan: 'startup' }) })
    page.server
      .answer('billing.plans', { data: priceList({ active: 'startup' }) })
      .answer('billing.subscription', { data: subscriptionOf(startup) })
      .answer('billing.card', { data: noCard })
      .answer('settings.read', { data: settings })
      .answer('billing.previewPlan', {
        status: 503,
        json: { message: 'No answer', code: 'payment_provider_down' },
      })
    page.open()
    const retry = await screen.findByRole('button', { name: 'Try again' })
    expect(screen.queryByRole('button', { name: /^(Pay|Change)/ })).toBeNull()
    page.server.answer('billing.previewPlan', { data: { ...toScale, due_now: 0, credit: 300, tax: 12 } })
    await page.keyboard.click(retry)
    expect(await screen.findByRole('button', { name: 'Change to Scale' })).toBeEnabled()
    expect(screen.getByText('Credit for the next invoices').nextSibling).toHaveTextContent('$3.00')
    expect(screen.getByText('Tax').nextSibling).toHaveTextContent('$0.12')
  })

  test('has no card field and no button for the current plan, but a link to billing', async () => {
    const { server, keyboard } = await openUpgrade({ query: '?plan=startup', has: startup })
    expect(screen.getByText('You’re already on Startup')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to billing' })).toHaveAttribute('href', '/account/billing')
    expect(screen.queryByLabelText('Card number')).toBeNull()
    expect(screen.queryByRole('button', { name: /^(Pay|Change|Start)/ })).toBeNull()
    expect(server.asked('billing.previewPlan')).toHaveLength(0)
    await keyboard.click(plan(/Scale/))
    expect(await screen.findByLabelText('Card number')).toBeVisible()
  })
})

test.each(['requires_payment_method', 'requires_action'])('with %s, links to the card', async status => {
  const user = sessionUser({ plan: 'startup', subscription: status })
  const page = await visit({ path: '/account/upgrade?plan=scale', user })
  page.server
    .answer('billing.plans', { data: priceList({ active: 'startup' }) })
    .answer('billing.subscription', { data: subscriptionOf({ ...startup, status }) })
  page.open()
  expect(await screen.findByText(/^A payment is due/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Update card' })).toHaveAttribute(
    'href',
    '/account/billing?tab=card',
  )
  expect(screen.queryByRole('radio')).toBeNull()
})

describe('[screen:upgrade.success]', () => {
  async function upgraded() {
    const page = await openUpgrade({ query: '?plan=startup' })
    const answer = Promise.withResolvers<Told>()
    page.server.answer('billing.upgrade', () => answer.promise)
    await typeCard(page)
    return { ...page, answer }
  }
  const done = { data: { plan: 'startup', subscription: 'active', pending_plan: null } }
  const pay = () => screen.getByRole('button', { name: 'Pay $36.00' })

  test('records the event, updates the session and shows success; a double click pays once', async () => {
    const page = await upgraded()
    session.set(now => now && { ...now, subscription: 'canceled' })
    await page.keyboard.dblClick(pay())
    page.server.answer('billing.subscription', { data: subscriptionOf({ ...startup, status: 'active' }) })
    page.answer.resolve(done)
    const news = await screen.findByText('You’re now on Startup')
    expect(news.closest('[tabindex="-1"]')).toHaveFocus()
    expect(page.server.asked('billing.upgrade')).toHaveLength(1)
    expect(session.get()).toMatchObject({ plan: 'startup', subscription: 'active' })
    fireEvent(window, new Event('pagehide'))
    expect(page.server.asked('events.track').map(({ body }) => body)).toEqual([
      { name: 'upgraded', metadata: { plan: 'startup' } },
    ])
    await waitFor(() => expect(page.server.asked('billing.subscription')).toHaveLength(2))
  })

  test('[const:upgrade.redirect] redirects to the dashboard after 2.5 seconds', async () => {
    const page = await upgraded()
    vi.useFakeTimers()
    const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    page.answer.resolve(done)
    fireEvent.click(pay())
    await after(100)
    await after(2300)
    expect(address()).toBe('/account/upgrade?plan=startup')
    await after(200)
    expect(address()).toBe('/dashboard')
  })

  test('[const:upgrade.redirect] does not redirect a user who has left the page', async () => {
    const page = await upgraded()
    vi.useFakeTimers()
    const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    page.answer.resolve(done)
    fireEvent.click(pay())
    await after(100)
    await act(async () => navigate('/help'))
    await after(5000)
    expect(address()).toBe('/help')
  })
})

describe('errors', () => {
  test('a declined card shows an error at the card and keeps the form', async () => {
    const page = await openUpgrade({ query: '?plan=scale' })
    page.server.answer('billing.upgrade', {
      status: 422,
      json: { message: 'Your card was declined', code: 'card_declined', inputError: 'token' },
    })
    await typeCard(page)
    await page.keyboard.click(screen.getByRole('button', { name: 'Pay $49.00' }))
    expect(await screen.findByText('Your card was declined')).toBeVisible()
    await waitFor(() => expect(screen.getByLabelText('Card number')).toHaveFocus())
    expect(screen.getByLabelText('Card number')).toHaveValue('4242 4242 4242 4242')
    expect(chosen()).toBe('scale')
    expect(session.get()).toMatchObject({ plan: 'free' })
  })

  test('closing the bank’s page charges nothing; confirming there repeats the call', async () => {
    const page = await openUpgrade({ query: '?plan=scale' })
    const bodies: unknown[] = []
    page.server
      .answer('billing.upgrade', ({ body }) => {
        bodies.push(body)
        return bodies.length < 3
          ? { data: { requires_payment_action: true, client_secret: 'pi_1_secret_x', kind: 'payment' } }
          : { data: { plan: 'scale', subscription: 'active', pending_plan: null } }
      })
      .answer('GET /v1/payment_intents/pi_1', { json: { id: 'pi_1', status: 'requires_action' } })
    await typeCard(page)
    const pay = screen.getByRole('button', { name: 'Pay $49.00' })
    await page.keyboard.click(pay)
    await page.keyboard.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Close' }),
    )
    expect(await screen.findByText(/You closed your bank’s page/)).toBeVisible()
    page.server.answer('GET /v1/payment_intents/pi_1', { json: { id: 'pi_1', status: 'succeeded' } })
    await page.keyboard.click(pay)
    await screen.findByText('You’re now on Scale')
    expect(bodies.at(-1)).toEqual({
      plan: 'scale',
      token: 'pm_1',
      payment_intent: 'pi_1',
      quote: quoteOf(4900),
    })
  })

  test('a card that has already had a trial shows an error, and prices are reloaded', async () => {
    const page = await openUpgrade({ query: '?plan=startup' })
    page.server.answer('billing.upgrade', {
      status: 422,
      json: { message: 'This card had its trial', code: 'trial_used', inputError: 'token' },
    })
    await typeCard(page)
    await page.keyboard.click(screen.getByRole('button', { name: 'Pay $36.00' }))
    expect(await screen.findByText('This card had its trial')).toBeVisible()
    await waitFor(() => expect(page.server.asked('billing.plans')).toHaveLength(2))
  })

  test('[error:fetch] a failed load can be retried', async () => {
    const page = await visit({ path: '/account/upgrade', user: sessionUser() })
    page.server
      .answer('billing.plans', { status: 500, json: { message: 'The till is stuck' } })
      .answer('billing.subscription', { status: 500, json: { message: 'The till is stuck' } })
    page.open()
    expect(await screen.findByText('Loading')).toBeInTheDocument()
    const retry = await screen.findByRole('button', { name: 'Try again' })
    page.server
      .answer('billing.plans', { data: priceList({ active: 'free' }) })
      .answer('billing.subscription', { data: subscriptionOf(free) })
    await page.keyboard.click(retry)
    expect((await screen.findAllByRole('radio')).length).toBe(3)
  })
})

describe('[error:402] the reason for the redirect', () => {
  const refused = new ApiError(402, 'Your plan allows 3 users.', { code: 'limit_reached', plan: 'scale' })

  test('is shown once, with the message of the refusal', async () => {
    const page = await visit({ path: '/help', user: sessionUser() })
    page.server
      .answer('billing.plans', { data: priceList({ active: 'free' }) })
      .answer('billing.subscription', { data: subscriptionOf(free) })
      .answer('settings.read', { data: settings })
    page.open()
    await act(async () => handleFailure(refused))
    expect(await screen.findByText('Your plan allows 3 users.')).toBeVisible()
    expect((await screen.findAllByRole('radio')).length).toBe(3)
    expect(chosen()).toBe('scale')
    await act(async () => navigate('/help'))
    await waitFor(() => expect(screen.queryByRole('radio')).toBeNull())
    await act(async () => navigate('/account/upgrade'))
    expect((await screen.findAllByRole('radio')).length).toBe(3)
    expect(screen.queryByText('Your plan allows 3 users.')).toBeNull()
  })

  test('[role:owner-only] a user who can’t buy a plan sees the reason and stays on the page', async () => {
    const page = await visit({ path: '/help', user: sessionUser({ permission: 'developer' }) })
    page.open()
    await act(async () => handleFailure(refused))
    expect(await screen.findByText('Your plan allows 3 users.')).toBeVisible()
    expect(address()).toBe('/help')
  })
})

test('[feature:translated] shows the upgrade page in German', async () => {
  await openUpgrade({ query: '?plan=scale', language: 'de' })
  expect(screen.getByRole('heading', { name: 'In einen anderen Tarif wechseln' })).toBeVisible()
  expect(await screen.findByRole('button', { name: /bezahlen$/ })).toBeVisible()
})
