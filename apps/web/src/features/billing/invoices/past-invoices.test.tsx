import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { sessionUser } from '../../../../test/people.ts'
import { priceList, subscriptionOf, upcomingOf } from '../../../../test/plans.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const paid = {
  id: 'in_103',
  number: 'PL-2026-0103',
  date: '2026-11-20T10:00:00.000Z',
  status: 'paid',
  total: 11_808,
  refunded: 0,
  credited: 0,
  page: null,
  currency: 'usd',
  invoice_pdf: 'http://localhost:5001/sandbox/invoices/in_103/pdf',
}

async function onFree(invoices: object[]) {
  const now = subscriptionOf({ status: 'active', plan: 'free', seat_price: 0, interval: null })
  const user = sessionUser({ plan: now.plan, subscription: now.status })
  const { server, open } = await visit({ path: '/account/billing?tab=invoices', user })
  server
    .answer('billing.subscription', { data: now })
    .answer('billing.upcoming', { data: upcomingOf() })
    .answer('billing.plans', { data: priceList({ active: now.plan }) })
    .answer('billing.invoices', {
      json: { data: invoices, page: { start: 1, total: null, previous: null, next: null } },
    })
  open()
  await screen.findByRole('region', { name: 'Your plan' })
  return server
}

test('the free plan lists the invoices of an earlier plan, without a tab', async () => {
  await onFree([paid])
  expect(await screen.findByRole('heading', { name: 'Past invoices' })).toBeVisible()
  const table = await screen.findByRole('table', { name: 'Invoices' })
  expect(await within(table).findByText('PL-2026-0103')).toBeVisible()
  expect(screen.queryByRole('tab', { name: 'Invoices' })).toBeNull()
})

test('the free plan says nothing of invoices where there are none', async () => {
  await onFree([])
  expect(screen.queryByRole('heading', { name: 'Past invoices' })).toBeNull()
})
