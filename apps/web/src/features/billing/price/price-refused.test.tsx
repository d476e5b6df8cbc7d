import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { previewOf, priceList, subscriptionOf, upcomingOf } from '../../../../test/plans.ts'
import type { Told } from '../../../../test/server.ts'
import { queries } from '../../../lib/data/query.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const visa = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 }
const paused = 'Payments for this account are paused. Ask support to change the plan.'
const pausedAnswer: Told = {
  status: 409,
  json: { message: paused, code: 'collection_paused', inputError: 'plan' },
}
const wait = 'Too many attempts. Try again in 20 minutes.'

async function openWithPreview(path: string, preview: Told) {
  const data = subscriptionOf({ status: 'active', plan: 'startup', seats: 8, seat_price: 1200 })
  const page = await visit({ path, user: sessionUser({ plan: 'startup', subscription: 'active' }) })
  page.server
    .answer('billing.subscription', { data })
    .answer('billing.plans', { data: priceList({ active: 'startup', trial: false }) })
    .answer('billing.previewPlan', preview)
    .answer('billing.upcoming', { data: upcomingOf() })
    .answer('billing.card', { data: visa })
    .answer('billing.usage', { status: 500 })
    .answer('profile.read', { data: profileOf(sessionUser()) })
    .answer('settings.read', {
      data: {
        payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' },
        inbox_url: null,
        support_email: 'help@plinth.example',
        locales: ['en'],
      },
    })
  page.open()
  return page
}
const generic = () => screen.queryByText(/The price didn’t load/)
const tryAgain = () => screen.queryByRole('button', { name: 'Try again' })

describe.each(['/account/billing?plan=scale', '/account/upgrade?plan=scale'])('%s', path => {
  test('shows once why the server refuses a price, without a retry button', async () => {
    await openWithPreview(path, pausedAnswer)
    expect(await screen.findByText(paused)).toHaveRole('alert')
    await waitFor(() => expect(queries.isFetching()).toBe(0))
    expect(screen.getAllByText(paused)).toHaveLength(1)
    expect(generic()).toBeNull()
    expect(tryAgain()).toBeNull()
  })

  test('shows how long to wait after too many requests, with a retry button', async () => {
    const page = await openWithPreview(path, { status: 429, text: wait, headers: { 'retry-after': '1200' } })
    expect(await screen.findByText(wait)).toBeVisible()
    expect(generic()).toBeNull()
    page.server.answer('billing.previewPlan', { data: previewOf({ due_now: 3720 }) })
    await page.keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('button', { name: /pay \$37\.20/i })).toBeEnabled()
  })
})

test('hides a shown price when support pauses payments and the price is reloaded', async () => {
  const page = await openWithPreview('/account/billing?plan=scale', { data: previewOf({ due_now: 3720 }) })
  const button = await screen.findByRole('button', { name: 'Change to Scale and pay $37.20 now' })
  page.server.answer('billing.previewPlan', pausedAnswer).answer('billing.changePlan', pausedAnswer)
  await page.keyboard.click(button)
  const panel = screen.getByRole('region', { name: 'What you will pay' })
  expect(await within(panel).findByText(paused)).toBeVisible()
  expect(within(panel).queryByRole('button')).toBeNull()
})
