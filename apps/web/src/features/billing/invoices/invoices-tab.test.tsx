import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { priceList, subscriptionOf, upcomingOf } from '../../../../test/plans.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const invoice = (number: number, change: object = {}) => ({
  id: `in_${number}`,
  number: `PL-2026-0${number}`,
  date: '2026-11-20T10:00:00.000Z',
  status: 'paid',
  total: 11_808,
  refunded: 0,
  credited: 0,
  page: null,
  currency: 'usd',
  invoice_pdf: `http://localhost:5001/sandbox/invoices/in_${number}/pdf`,
  ...change,
})

/** The server's answer with a page of invoices. */
const invoicePage = (data: object[], next: string | null = null) => ({
  data,
  page: { start: data.length > 0 ? 1 : 0, total: null, previous: null, next },
})

async function openInvoicesTab(change: object = {}) {
  const now = subscriptionOf({ status: 'active', plan: 'startup', seats: 8, seat_price: 1200, ...change })
  const user = sessionUser({ plan: now.plan, subscription: now.status })
  const page = await visit({ path: '/account/billing?tab=invoices', user })
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
  return page
}

describe('[screen:billing.invoices] the invoices', () => {
  const cells = (row: HTMLElement) =>
    within(row)
      .getAllByRole('cell')
      .map(cell => cell.textContent)

  test('[entity:invoice] [call:GET /api/account/invoice] shows number, date, status and total', async () => {
    const page = await openInvoicesTab()
    page.server.answer('billing.invoices', {
      json: invoicePage([invoice(118, { status: 'open' }), invoice(103)]),
    })
    page.open()
    const table = await screen.findByRole('table', { name: 'Invoices' })
    await within(table).findByText('PL-2026-0118')
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(head => head.textContent),
    ).toEqual(['Number', 'Date', 'Status', 'Total, with tax', 'PDF'])
    const [, first, second] = within(table).getAllByRole('row')
    expect(cells(first as HTMLElement).slice(1, 4)).toEqual(['Nov 20, 2026', 'Unpaid', '$118.08Unpaid']) // as: two were given
    expect(cells(second as HTMLElement).slice(1, 4)).toEqual(['Nov 20, 2026', 'Paid', '$118.08Paid']) // as: two were given
    expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
  })

  test('shows refunds and credit notes at their invoice, and a pay link at an open one', async () => {
    const page = await openInvoicesTab()
    const invoices = [
      invoice(116, { status: 'open', page: 'https://invoice.stripe.com/i/1' }),
      invoice(115, { refunded: 11_808 }),
      invoice(114, { refunded: 1000 }),
      invoice(111, { total: -3700 }),
      invoice(113, { credited: 11_808 }),
      invoice(112, { credited: 500 }),
    ]
    page.server.answer('billing.invoices', { json: invoicePage(invoices) })
    page.open()
    expect(await screen.findByRole('link', { name: 'Pay PL-2026-0116' })).toHaveAttribute(
      'href',
      'https://invoice.stripe.com/i/1',
    )
    const row = (number: number) => screen.getByRole('row', { name: new RegExp(`PL-2026-0${number}`) })
    expect(row(115)).toHaveTextContent(/Refunded.*\$118\.08 refunded/)
    expect(row(114)).toHaveTextContent(/Partly refunded.*\$10\.00 refunded/)
    expect(row(111)).toHaveTextContent('−$37.00credited to your balance')
    expect(row(113)).toHaveTextContent(/Credited.*\$118\.08 credited/)
    expect(row(112)).toHaveTextContent(/Paid.*\$5\.00 credited/)
  })

  test('[screen:billing.invoice-badge] [const:invoice.paid] the badge is green if paid, otherwise red', async () => {
    const page = await openInvoicesTab()
    const statuses = ['paid', 'open', 'draft', 'uncollectible', 'void']
    page.server.answer('billing.invoices', {
      json: invoicePage(statuses.map((status, index) => invoice(100 + index, { status }))),
    })
    page.open()
    // Once in its column, once beside the total on phones.
    for (const badge of await screen.findAllByText('Paid')) expect(badge).toHaveClass('badge--success')
    for (const word of ['Unpaid', 'Draft', 'Written off', 'Void'])
      for (const badge of screen.getAllByText(word)) expect(badge, word).toHaveClass('badge--danger')
  })

  test('[screen:billing.invoice-download] the PDF opens in a new tab; a draft has neither number nor PDF', async () => {
    const page = await openInvoicesTab()
    page.server.answer('billing.invoices', {
      json: invoicePage([invoice(119, { number: null, status: 'draft', invoice_pdf: null }), invoice(118)]),
    })
    page.open()
    const link = await screen.findByRole('link', { name: 'Download PL-2026-0118' })
    expect(link).toHaveAttribute('href', 'http://localhost:5001/sandbox/invoices/in_118/pdf')
    expect(link).toHaveAttribute('target', '_blank')
    expect(link).toHaveAttribute('rel', 'noopener')
    expect(screen.getByText('No number yet')).toBeVisible()
    expect(screen.getAllByRole('link', { name: /^Download/ })).toHaveLength(1)
  })

  test('warns that paying an open invoice of an ended subscription does not restore the plan', async () => {
    const page = await openInvoicesTab({ status: 'canceled' })
    page.server.answer('billing.invoices', { json: invoicePage([invoice(119, { status: 'open' })]) })
    page.open()
    expect(await screen.findByText('Your subscription has ended')).toBeVisible()
    expect(screen.getByText(/doesn’t bring your plan back/)).toBeVisible()
  })

  test('loads older invoices below, until there are no more', async () => {
    const page = await openInvoicesTab()
    page.server.answer('billing.invoices', ({ query }) =>
      query.get('cursor') === '3.in_117'
        ? { json: invoicePage([invoice(116)]) }
        : { json: invoicePage([invoice(118), invoice(117)], '3.in_117') },
    )
    page.open()
    expect(await screen.findByText('2 invoices shown')).toBeVisible()
    await page.keyboard.click(screen.getByRole('button', { name: 'Show older' }))
    expect(await screen.findByText('PL-2026-0116')).toBeVisible()
    expect(screen.getByText('PL-2026-0118')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
  })

  test('shows an empty state without invoices', async () => {
    const page = await openInvoicesTab()
    page.server.answer('billing.invoices', { json: invoicePage([]) })
    page.open()
    expect(await screen.findByText('No invoices yet')).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
  })

  test('[error:fetch] a failed load can be retried', async () => {
    const page = await openInvoicesTab()
    page.server.answer('billing.invoices', { status: 503, json: { code: 'payment_provider_down' } })
    page.open()
    expect(await screen.findByText('Your invoices didn’t load')).toBeVisible()
    let answer: (told: object) => void = () => undefined
    page.server.answer(
      'billing.invoices',
      () =>
        new Promise(resolve => {
          answer = resolve
        }),
    )
    await page.keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(page.server.asked('billing.invoices')).toHaveLength(2))
    answer({ json: invoicePage([invoice(118)]) })
    expect(await screen.findByText('PL-2026-0118')).toBeVisible()
  })
})

async function openFreePlan(invoices: object[]) {
  const now = subscriptionOf({ status: 'active', plan: 'free', seat_price: 0, interval: null })
  const user = sessionUser({ plan: now.plan, subscription: now.status })
  const { server, open } = await visit({ path: '/account/billing?tab=invoices', user })
  server
    .answer('billing.subscription', { data: now })
    .answer('billing.upcoming', { data: upcomingOf() })
    .answer('billing.plans', { data: priceList({ active: now.plan }) })
    .answer('billing.invoices', {
      json: invoicePage(invoices),
    })
  open()
  await screen.findByRole('region', { name: 'Your plan' })
  return server
}

test('the free plan lists invoices of an earlier plan, without an invoices tab', async () => {
  await openFreePlan([invoice(103)])
  expect(await screen.findByRole('heading', { name: 'Past invoices' })).toBeVisible()
  const table = await screen.findByRole('table', { name: 'Invoices' })
  expect(await within(table).findByText('PL-2026-0103')).toBeVisible()
  expect(screen.queryByRole('tab', { name: 'Invoices' })).toBeNull()
})

test('the free plan has no invoice list without invoices', async () => {
  await openFreePlan([])
  expect(screen.queryByRole('heading', { name: 'Past invoices' })).toBeNull()
})
