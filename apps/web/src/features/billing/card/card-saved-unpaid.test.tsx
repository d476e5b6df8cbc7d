import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { priceList, quoteOf, subscriptionOf, upcomingOf } from '../../../../test/plans.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const visa = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2034 }
async function billing(change: object) {
  const now = subscriptionOf({ status: 'active', plan: 'startup', seats: 8, seat_price: 1200, ...change })
  const user = sessionUser({ plan: now.plan, subscription: now.status })
  const page = await visit({ path: `/account/billing?tab=card`, user })
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

test('a card that was saved and then declined is shown as saved, and as unpaid', async () => {
  const page = await billing({ status: 'requires_action' })
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

test('a price that changed after the new card was saved shows that card', async () => {
  const page = await billing({ status: 'requires_payment_method' })
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
