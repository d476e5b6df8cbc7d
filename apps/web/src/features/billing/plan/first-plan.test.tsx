import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { firstPreview, previewOf, priceList, quoteOf, subscriptionOf } from '../../../../test/plans.ts'
import { session } from '../../../lib/session/store.ts'

const settings = {
  payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' },
  inbox_url: null,
  support_email: 'help@plinth.example',
  locales: ['en', 'de'],
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

async function openPlanScreen(
  path = '/signup/plan',
  change: Parameters<typeof sessionUser>[0] = {},
  active: string | null = null,
) {
  const user = sessionUser({ plan: null, subscription: null, onboarded: false, ...change })
  const page = await visit({ path, user })
  page.server
    .answer('billing.plans', { data: priceList({ active }) })
    .answer('billing.subscription', { data: subscriptionOf() })
    .answer('billing.previewPlan', ({ query }) => ({ data: firstPreview(String(query.get('plan'))) }))
    .answer('settings.read', { data: settings })
    .answer('profile.read', { data: profileOf(user) })
    .answer('POST /v1/payment_methods', { json: { id: 'pm_1' } })
  page.open()
  return { ...page, user }
}

const submit = () => document.querySelector<HTMLElement>('form button[type="submit"]') as HTMLElement // as: the screen has one form with one submit button

async function typeCard(
  { keyboard }: Pick<Awaited<ReturnType<typeof visit>>, 'keyboard'>,
  number = '4242424242424242',
) {
  await keyboard.type(await screen.findByLabelText('Card number'), number)
  await keyboard.type(screen.getByLabelText(/Expiry/), '1234')
  await keyboard.type(screen.getByLabelText('Security code'), '123')
}

describe('[route:/signup/plan]', () => {
  test('[rule:required.plan] no plan is preselected, and a plan is required', async () => {
    const { server, keyboard } = await openPlanScreen()
    expect(await screen.findAllByRole('radio')).toHaveLength(4)
    for (const radio of screen.getAllByRole('radio')) expect(radio).not.toBeChecked()
    await keyboard.click(screen.getByRole('button', { name: 'Choose a plan' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Choose a plan')
    expect(server.asked('billing.choosePlan')).toHaveLength(0)
  })

  test('[screen:plan.to-welcome] the free plan needs no card; a new user continues to the welcome screen', async () => {
    const { server, keyboard } = await openPlanScreen('/signup/plan?id=free')
    const button = await screen.findByRole('button', { name: 'Choose free' })
    expect(screen.queryByLabelText('Card number')).not.toBeInTheDocument()
    server.answer('billing.choosePlan', { data: { plan: 'free', subscription: 'active', onboarded: false } })
    await keyboard.click(button)
    await waitFor(() => expect(address()).toBe('/welcome'))
    expect(server.asked('billing.choosePlan')[0]?.body).toEqual({ plan: 'free' })
    expect(session.get()).toMatchObject({ plan: 'free', subscription: 'active' })
  })

  test('[screen:plan.to-dashboard] a user who has completed the welcome screen goes to the dashboard', async () => {
    const { server, keyboard } = await openPlanScreen('/signup/plan?id=free', { onboarded: true })
    server.answer('billing.choosePlan', { data: { plan: 'free', subscription: 'active', onboarded: true } })
    await keyboard.click(await screen.findByRole('button', { name: 'Choose free' }))
    await waitFor(() => expect(address()).toBe('/dashboard'))
  })

  test('[screen:plan.profile-link] shows who is signed in and links to the profile', async () => {
    await openPlanScreen()
    expect(await screen.findByText(/Signed in as mara@northquay.studio/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Your profile' })).toHaveAttribute('href', '/account/profile')
  })

  test('a failed load shows an error and can be retried', async () => {
    const page = await openPlanScreen()
    await screen.findAllByRole('radio')
    const again = await visit({ path: '/signup/plan', user: page.user })
    again.server
      .answer('billing.plans', { status: 503, json: { message: 'We are very busy' } })
      .answer('billing.subscription', { data: subscriptionOf() })
      .answer('profile.read', { data: profileOf(page.user) })
    again.open()
    const retry = await screen.findByRole('button', { name: 'Try again' })
    again.server.answer('billing.plans', { data: priceList() })
    await again.keyboard.click(retry)
    expect((await screen.findAllByRole('radio')).length).toBeGreaterThan(3)
  })
})

describe('[route:/signup/plan?id=] a paid plan', () => {
  test('is preselected; shows the amount due and the date, and no tax line if tax is not computed', async () => {
    await openPlanScreen('/signup/plan?id=startup')
    expect(await screen.findByRole('radio', { name: /per seat \/ month/ })).toBeChecked()
    expect((await screen.findByText('Today')).nextSibling).toHaveTextContent('$0.00')
    expect(screen.getByText(/^1 seat, monthly from .*$/).nextSibling).toHaveTextContent('$12.00')
    expect(screen.queryByText('Tax')).toBeNull()
    expect(screen.getByRole('button', { name: 'Start 14-day trial' })).toBeEnabled()
  })

  test('[rule:required.card] [rule:card.empty] an empty card shows the required error', async () => {
    const { server, keyboard } = await openPlanScreen('/signup/plan?id=scale')
    await keyboard.click(await screen.findByRole('button', { name: 'Pay $49.00' }))
    expect(await screen.findByText('Enter a card')).toBeVisible()
    expect(screen.getByLabelText('Card number')).toHaveFocus()
    expect(server.asked('billing.choosePlan')).toHaveLength(0)
  })

  test('[rule:form.card.token] only the token of the card reaches our server', async () => {
    const page = await openPlanScreen('/signup/plan?id=startup')
    page.server.answer('billing.choosePlan', {
      data: { plan: 'startup', subscription: 'trialing', onboarded: false },
    })
    await typeCard(page)
    expect(screen.getByText('Visa')).toBeVisible()
    await page.keyboard.click(submit())
    await waitFor(() => expect(address()).toBe('/welcome'))
    expect(page.server.asked('billing.choosePlan')[0]?.body).toEqual({
      plan: 'startup',
      token: 'pm_1',
      quote: quoteOf(0),
    })
    expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }])).not.toContain('4242')
  })

  test('a declined card shows an error at the card and keeps the form', async () => {
    const page = await openPlanScreen('/signup/plan?id=startup')
    page.server.answer('billing.choosePlan', {
      status: 422,
      json: { message: 'Your card was declined', code: 'card_declined', inputError: 'token' },
    })
    await typeCard(page)
    await page.keyboard.click(submit())
    expect(await screen.findByText('Your card was declined')).toBeVisible()
    await waitFor(() => expect(screen.getByLabelText('Card number')).toHaveFocus())
    await page.keyboard.click(screen.getByRole('radio', { name: /Free/ }))
    expect(screen.queryByLabelText('Card number')).not.toBeInTheDocument()
    await page.keyboard.click(screen.getByRole('radio', { name: /Scale/ }))
    expect(await screen.findByLabelText('Card number')).toHaveValue('4242 4242 4242 4242')
    expect(address()).toBe('/signup/plan?id=scale')
  })

  test('an invalid card number shows an error without a request', async () => {
    const page = await openPlanScreen('/signup/plan?id=startup')
    await typeCard(page, '4242424242424241')
    await page.keyboard.click(submit())
    expect(await screen.findByText(/card number is wrong/)).toBeVisible()
    expect(page.server.asked('POST /v1/payment_methods')).toHaveLength(0)
  })

  test('[rule:form.card.action] the bank’s page opens in a dialog; closing it keeps the form', async () => {
    const page = await openPlanScreen('/signup/plan?id=startup')
    page.server
      .answer('billing.choosePlan', {
        data: { requires_payment_action: true, client_secret: 'seti_1_secret_x', kind: 'setup' },
      })
      .answer('GET /v1/setup_intents/seti_1', { json: { id: 'seti_1', status: 'requires_action' } })
    await typeCard(page)
    await page.keyboard.click(submit())
    const frame = await screen.findByTitle('Your bank')
    expect(frame).toHaveAttribute(
      'src',
      'http://localhost:5001/sandbox/3ds/seti_1?client_secret=seti_1_secret_x',
    )
    await page.keyboard.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }))
    expect(await screen.findByText(/You closed your bank’s page/)).toBeVisible()
    expect(screen.getByLabelText('Card number')).toHaveValue('4242 4242 4242 4242')
    expect(page.server.asked('billing.choosePlan')).toHaveLength(1)
  })

  test('after the bank has confirmed, the call is repeated with the result', async () => {
    const page = await openPlanScreen('/signup/plan?id=startup')
    const bodies: unknown[] = []
    page.server
      .answer('billing.choosePlan', ({ body }) => {
        bodies.push(body)
        return bodies.length === 1
          ? { data: { requires_payment_action: true, client_secret: 'seti_1_secret_x', kind: 'setup' } }
          : { data: { plan: 'startup', subscription: 'trialing', onboarded: false } }
      })
      .answer('GET /v1/setup_intents/seti_1', { json: { id: 'seti_1', status: 'succeeded' } })
    await typeCard(page)
    await page.keyboard.click(submit())
    await waitFor(() => expect(address()).toBe('/welcome'))
    expect(bodies[1]).toEqual({
      plan: 'startup',
      token: 'pm_1',
      quote: quoteOf(0),
      setup_intent: 'seti_1',
    })
  })
})

test('[route:/signup/plan] an account that has this plan gets a link to billing and no price', async () => {
  const user = sessionUser({ plan: 'startup', subscription: 'trialing', onboarded: true })
  const page = await visit({ path: '/signup/plan?id=startup', user })
  page.server
    .answer('billing.plans', { data: priceList({ active: 'startup' }) })
    .answer('billing.subscription', { data: subscriptionOf({ plan: 'startup', status: 'trialing' }) })
    .answer('profile.read', { data: profileOf(user) })
  page.open()
  expect(await screen.findByText('You’re already on Startup')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to billing' })).toHaveAttribute('href', '/account/billing')
  expect(screen.queryByRole('radio')).toBeNull()
})

test('[route:/signup/plan] a plan that was chosen in another tab is shown with a link to billing', async () => {
  const { server, keyboard, user } = await openPlanScreen('/signup/plan?id=free')
  const button = await screen.findByRole('button', { name: 'Choose free' })
  const chosen = { plan: 'startup', subscription: 'trialing' } as const
  server
    .answer('billing.choosePlan', {
      status: 409,
      json: { message: 'This account already has a plan', code: 'plan_taken', inputError: 'plan' },
    })
    .answer('billing.plans', { data: priceList({ active: 'startup' }) })
    .answer('billing.subscription', { data: subscriptionOf({ plan: 'startup', status: 'trialing' }) })
    .answer('auth.check', { data: { authenticated: true, ...user, ...chosen } })
  await keyboard.click(button)
  expect(await screen.findByText('You’re already on Startup')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to billing' })).toBeVisible()
  await waitFor(() => expect(session.get()).toMatchObject(chosen))
})

test('[route:/signup/plan] a canceled plan is preselected but not marked as current', async () => {
  const user = sessionUser({ plan: 'startup', subscription: 'canceled', onboarded: true })
  const page = await visit({ path: '/signup/plan', user })
  page.server
    .answer('billing.plans', { data: priceList({ active: 'startup' }) })
    .answer('billing.subscription', { data: subscriptionOf({ plan: 'startup', status: 'canceled' }) })
    .answer('billing.previewPlan', ({ query }) => ({ data: firstPreview(String(query.get('plan'))) }))
    .answer('profile.read', { data: profileOf(user) })
  page.open()
  expect(await screen.findByRole('radio', { name: /^Startup/, checked: true })).toBeVisible()
  expect(screen.queryByText('Current')).toBeNull()
})

test('[route:/signup/plan] an owner with a payment due gets a link to the card', async () => {
  const user = sessionUser({ plan: 'startup', subscription: 'requires_payment_method', onboarded: true })
  const page = await visit({ path: '/signup/plan?id=startup', user })
  page.server
    .answer('billing.plans', { data: priceList({ active: 'startup' }) })
    .answer('billing.subscription', {
      data: subscriptionOf({ plan: 'startup', status: 'requires_payment_method' }),
    })
    .answer('profile.read', { data: profileOf(user) })
  page.open()
  expect(await screen.findByText(/^A payment is due/)).toBeVisible()
  const card = screen.getByRole('link', { name: 'Update card' })
  expect(card).toHaveAttribute('href', '/account/billing?tab=card')
  expect(screen.queryByText(/nothing to change or pay/)).toBeNull()
})

describe('a changed price', () => {
  test('replaces the old price, shows an alert and keeps the form', async () => {
    const page = await openPlanScreen('/signup/plan?id=scale')
    const next = previewOf({ due_now: 9800, next_amount: 9800, lines: [{ text: 'Scale', amount: 9800 }] })
    page.server.answer('billing.choosePlan', {
      status: 409,
      json: { message: 'The price has changed. Nothing was charged.', code: 'price_changed', data: next },
    })
    await typeCard(page)
    page.server.answer('billing.previewPlan', { data: next })
    await page.keyboard.click(screen.getByRole('button', { name: 'Pay $49.00' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('The price has changed. Nothing was charged.')
    expect(screen.getByLabelText('Card number')).toHaveValue('4242 4242 4242 4242')
    page.server.answer('billing.choosePlan', {
      data: { plan: 'scale', subscription: 'active', onboarded: true },
    })
    await page.keyboard.click(screen.getByRole('button', { name: 'Pay $98.00' }))
    await waitFor(() => expect(address()).toBe('/dashboard'))
    const quotes = page.server.asked('billing.choosePlan').map(({ body }) => body)
    expect(quotes).toMatchObject([{ quote: quoteOf(4900) }, { quote: quoteOf(9800) }])
  })
})

describe('[route:/signup/plan] an owner who returns after a canceled plan', () => {
  const left = previewOf({ due_now: 0, credit: 1000, next_amount: 3900 })

  async function openAfterCancel(preview: object) {
    const has = { plan: 'startup', subscription: 'canceled', onboarded: true }
    const page = await openPlanScreen('/signup/plan?id=startup', has, 'startup')
    page.server.answer('billing.previewPlan', { data: { ...left, ...preview } })
    await page.keyboard.click(await screen.findByRole('radio', { name: /^Scale/ }))
    return page
  }

  test('sees an amount due that is reduced by the credit', async () => {
    await openAfterCancel({})
    expect(await screen.findByRole('button', { name: 'Start Scale' })).toBeEnabled()
    expect(screen.getByText('Credit used').nextSibling).toHaveTextContent('−$49.00')
    expect(screen.getByText('Today').nextSibling).toHaveTextContent('$0.00')
    expect(screen.getByText('Credit for the next invoices').nextSibling).toHaveTextContent('$10.00')
    expect(screen.getByText(/^Next invoice, on /).nextSibling).toHaveTextContent('$39.00')
    expect(screen.queryByText(/^From /)).toBeNull()
  })

  test('sees the list price without credit, and the tax if it is computed', async () => {
    const { server, keyboard } = await openAfterCancel({ due_now: 4900, credit: 0, next_amount: 4900 })
    expect(await screen.findByRole('button', { name: 'Pay $49.00' })).toBeEnabled()
    expect(screen.queryByText('Tax')).toBeNull()
    expect(screen.queryByText('Credit used')).toBeNull()
    server.answer('billing.previewPlan', { data: { ...left, tax: 931, due_now: 5831, credit: 0 } })
    await keyboard.click(screen.getByRole('radio', { name: /yearly/ }))
    expect(await screen.findByRole('button', { name: 'Pay $58.31' })).toBeEnabled()
    expect(screen.getByText('Tax').nextSibling).toHaveTextContent('$9.31')
    expect(screen.queryByText('Credit used')).toBeNull()
  })
})
