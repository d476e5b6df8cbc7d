import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { priceList, quoteOf, subscriptionOf, upcomingOf } from '../../../../test/plans.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const visa = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2034 }
const noCard = { brand: null, last4: null, exp_month: null, exp_year: null }

async function openCardTab(change: object = {}) {
  const now = subscriptionOf({ status: 'active', plan: 'startup', seats: 8, seat_price: 1200, ...change })
  const user = sessionUser({ plan: now.plan, subscription: now.status })
  const page = await visit({ path: '/account/billing?tab=card', user })
  page.server
    .answer('billing.subscription', { data: now })
    .answer('billing.upcoming', { data: upcomingOf() })
    .answer('billing.plans', { data: priceList({ active: now.plan }) })
    .answer('billing.card', { data: visa })
    .answer('profile.read', { data: profileOf(user) })
    .answer('POST /v1/payment_methods', { json: { id: 'pm_1' } })
    .answer('settings.read', {
      data: {
        payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' },
        inbox_url: null,
        support_email: 'help@plinth.example',
        locales: ['en', 'de'],
      },
    })
  return page
}

async function typeCard({ keyboard }: Pick<Awaited<ReturnType<typeof visit>>, 'keyboard'>) {
  await keyboard.type(await screen.findByLabelText('Card number'), '5555555555554444')
  await keyboard.type(screen.getByLabelText(/Expiry/), '1234')
  await keyboard.type(screen.getByRole('textbox', { name: 'Security code' }), '123')
}

describe('[screen:billing.card] the saved card', () => {
  test('[entity:card] [entity:card.masked] [call:GET /api/account/card] shows brand, last four digits, expiry and a masked security code', async () => {
    const page = await openCardTab()
    page.open()
    const facts = await screen.findByRole('region', { name: 'Your card' })
    expect(facts).toHaveTextContent('Visa')
    expect(within(facts).getByText('•••• 4242')).toBeVisible()
    expect(facts).toHaveTextContent('Expires04 / 34')
    expect(within(facts).getByText('•••')).toBeVisible()
    expect(within(facts).getByText('Never stored')).toBeInTheDocument()
    expect(within(facts).queryByText('Expired')).toBeNull()
  })

  test('shows a badge when it has expired', async () => {
    const page = await openCardTab()
    page.server.answer('billing.card', { data: { ...visa, exp_year: 2024 } })
    page.open()
    expect(await screen.findByText('Expired')).toHaveClass('badge--danger')
  })

  test('[call:PATCH /api/account/card] a double click replaces it once and empties the fields', async () => {
    const page = await openCardTab()
    page.open()
    await typeCard(page)
    expect(screen.getByText('Mastercard')).toBeVisible()
    const saved = { brand: 'mastercard', last4: '4444', exp_month: 12, exp_year: 2034 }
    page.server.answer('billing.replaceCard', { data: saved }).answer('billing.card', { data: saved })
    await page.keyboard.dblClick(screen.getByRole('button', { name: 'Save card' }))
    expect(await screen.findByText('Mastercard ending 4444 is now your card')).toBeVisible()
    expect(page.server.asked('billing.replaceCard').map(({ body }) => body)).toEqual([
      { token: 'pm_1', quote: quoteOf(0) },
    ])
    expect(screen.getByRole('region', { name: 'Your card' })).toHaveTextContent('•••• 4444')
    expect(screen.getByLabelText('Card number')).toHaveValue('')
  })

  test('stays when the new card is declined, which shows an error at the field', async () => {
    const page = await openCardTab()
    page.open()
    await typeCard(page)
    page.server.answer('billing.replaceCard', {
      status: 422,
      json: { message: 'Your card was declined', code: 'card_declined', inputError: 'token' },
    })
    await page.keyboard.click(screen.getByRole('button', { name: 'Save card' }))
    expect(await screen.findByText('Your card was declined')).toBeVisible()
    expect(screen.getByLabelText('Card number')).toHaveValue('5555 5555 5555 4444')
    expect(screen.getByRole('region', { name: 'Your card' })).toHaveTextContent('•••• 4242')
    expect(screen.queryByText(/is now your card/)).toBeNull()
  })

  test('shows a changed price in an alert and on the button, and keeps the typed card', async () => {
    const page = await openCardTab()
    page.open()
    await typeCard(page)
    page.server
      .answer('billing.replaceCard', {
        status: 409,
        json: { message: 'The price has changed.', code: 'price_changed', data: { quote: quoteOf(4900) } },
      })
      .answer('billing.subscription', {
        data: subscriptionOf({ status: 'requires_payment_method', plan: 'startup' }),
      })
    await page.keyboard.click(screen.getByRole('button', { name: 'Save card' }))
    expect(await screen.findByText('The price has changed. Nothing was charged.')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Save card and pay $49.00' })).toBeEnabled()
    expect(screen.getByLabelText('Card number')).toHaveValue('5555 5555 5555 4444')
  })

  test('[error:401] an ended session leads to the sign-in page, which returns to the card tab', async () => {
    const page = await openCardTab()
    page.open()
    await typeCard(page)
    page.server.answer('billing.replaceCard', { status: 401, json: { message: 'Sign in again' } })
    await page.keyboard.click(screen.getByRole('button', { name: 'Save card' }))
    await waitFor(() => expect(address()).toBe('/login'))
    expect(JSON.stringify({ ...sessionStorage })).toContain('/account/billing?tab=card')
    expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }])).not.toContain('4444')
  })

  test('without a card shows an empty state; a first card pays a failed payment at once', async () => {
    const page = await openCardTab({ status: 'requires_payment_method' })
    page.server.answer('billing.card', { data: noCard })
    page.open()
    expect(await screen.findByText('No card yet')).toBeVisible()
    await typeCard(page)
    page.server
      .answer('billing.replaceCard', { data: visa })
      .answer('billing.subscription', { data: subscriptionOf({ status: 'active', plan: 'startup' }) })
    await page.keyboard.click(screen.getByRole('button', { name: 'Save card and pay $49.00' }))
    expect(await screen.findByText('$49.00 paid. Visa ending 4242 is now your card')).toBeVisible()
    expect(page.server.asked('billing.replaceCard')[0]?.body).toEqual({
      token: 'pm_1',
      quote: quoteOf(4900),
    })
    await waitFor(() => expect(screen.queryByText('Your latest payment failed')).toBeNull())
  })

  test('with a payment to confirm, offers to pay with a new card; the banner has no link to this tab', async () => {
    const page = await openCardTab({ status: 'requires_action' })
    page.open()
    expect(await screen.findByRole('button', { name: 'Save card and pay $49.00' })).toBeVisible()
    expect(screen.getByText('You need to authorize your payment')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Check again' })).toBeVisible()
    expect(screen.queryByRole('link', { name: /^Or enter your card/ })).toBeNull()
  })

  test('of a canceled subscription is shown and can’t be replaced', async () => {
    const page = await openCardTab({ status: 'canceled' })
    page.open()
    expect(await screen.findByText('•••• 4242')).toBeVisible()
    expect(screen.queryByLabelText('Card number')).toBeNull()
  })

  test('[error:fetch] shows an error when the provider is down, and can be retried', async () => {
    const page = await openCardTab()
    page.server.answer('billing.card', {
      status: 503,
      json: { message: 'The payment provider does not answer', code: 'payment_provider_down' },
    })
    page.open()
    expect(await screen.findByText('Your card didn’t load')).toBeVisible()
    page.server.answer('billing.card', { data: visa })
    await page.keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('•••• 4242')).toBeVisible()
  })

  test('shows a placeholder while it loads', async () => {
    const page = await openCardTab()
    page.server.answer('billing.card', () => new Promise(() => undefined))
    page.open()
    await screen.findByRole('tab', { name: 'Card' })
    expect(within(screen.getByRole('tabpanel')).getByText('Loading')).toBeInTheDocument()
  })
})

test('a card that is saved but declined for the amount due is shown as saved and unpaid', async () => {
  const page = await openCardTab({ status: 'requires_action' })
  page.open()
  await typeCard(page)
  page.server
    .answer('billing.replaceCard', {
      status: 422,
      json: { message: 'Your card was declined', code: 'card_declined', inputError: 'token' },
    })
    .answer('billing.card', { data: { ...visa, last4: '0341' } })
    .answer('billing.subscription', {
      data: subscriptionOf({ status: 'requires_payment_method', plan: 'startup' }),
    })
  await page.keyboard.click(screen.getByRole('button', { name: 'Save card and pay $49.00' }))
  expect(await screen.findByText('Your card was declined')).toBeVisible()
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'Your card' })).toHaveTextContent('•••• 0341'),
  )
  expect(screen.getByText('Your latest payment failed')).toBeVisible()
  expect(screen.getByText('Your card was declined')).toBeVisible()
  const saved = screen.getByText('Visa ending 0341 is now your card').closest('.alert')
  expect(saved).toHaveTextContent('The new card was saved, but the amount due hasn’t been paid.')
  expect(screen.getByLabelText('Card number')).toHaveValue('5555 5555 5555 4444')
})

test('a changed price after the new card is saved shows the new card', async () => {
  const page = await openCardTab({ status: 'requires_payment_method' })
  page.open()
  await typeCard(page)
  const data = { quote: quoteOf(9800) }
  page.server
    .answer('billing.replaceCard', { status: 409, json: { message: '', code: 'price_changed', data } })
    .answer('billing.card', { data: { ...visa, last4: '4444' } })
  await page.keyboard.click(screen.getByRole('button', { name: 'Save card and pay $49.00' }))
  expect(await screen.findByText('Visa ending 4444 is now your card')).toBeVisible()
  expect(screen.getByRole('region', { name: 'Your card' })).toHaveTextContent('•••• 4444')
})
