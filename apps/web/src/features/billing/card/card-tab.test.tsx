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

async function billing(tab: string, change: object = {}) {
  const now = subscriptionOf({ status: 'active', plan: 'startup', seats: 8, seat_price: 1200, ...change })
  const user = sessionUser({ plan: now.plan, subscription: now.status })
  const page = await visit({ path: `/account/billing?tab=${tab}`, user })
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

test('who leaves with a plan chosen and not taken is not led back', async () => {
  const page = await billing('plan')
  page.server.answer('billing.previewPlan', () => new Promise(() => undefined))
  page.open()
  await page.keyboard.click(await screen.findByRole('radio', { name: /^Scale/ }))
  expect(address()).toBe('/account/billing?plan=scale')
  const [profile] = screen.getAllByRole('link', { name: 'Profile' })
  await page.keyboard.click(profile as HTMLElement) // as: the account's navigation has one
  await waitFor(() => expect(screen.queryByRole('tab')).toBeNull())
  expect(address()).toBe('/account/profile')
})

describe('[screen:billing.card] the card', () => {
  test('[entity:card] [entity:card.masked] [call:GET /api/account/card] brand, last four, expiry, and a code that nobody knows', async () => {
    const page = await billing('card')
    page.open()
    const facts = await screen.findByRole('region', { name: 'Your card' })
    expect(facts).toHaveTextContent('Visa')
    expect(within(facts).getByText('•••• 4242')).toBeVisible()
    expect(facts).toHaveTextContent('Expires04 / 34')
    expect(within(facts).getByText('•••')).toBeVisible()
    expect(within(facts).getByText('Never stored')).toBeInTheDocument()
    expect(within(facts).queryByText('Expired')).toBeNull()
  })

  test('one that has run out says so', async () => {
    const page = await billing('card')
    page.server.answer('billing.card', { data: { ...visa, exp_year: 2024 } })
    page.open()
    expect(await screen.findByText('Expired')).toHaveClass('badge--danger')
  })

  test('[call:PATCH /api/account/card] another one takes its place, once, and the boxes are empty again', async () => {
    const page = await billing('card')
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

  test('a card that is refused is told at its field, and the old one stays', async () => {
    const page = await billing('card')
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
    const page = await billing('card')
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

  test('[error:401] a session that ended meanwhile leads to the sign-in, and back here', async () => {
    const page = await billing('card')
    page.open()
    await typeCard(page)
    page.server.answer('billing.replaceCard', { status: 401, json: { message: 'Sign in again' } })
    await page.keyboard.click(screen.getByRole('button', { name: 'Save card' }))
    await waitFor(() => expect(address()).toBe('/login'))
    expect(JSON.stringify({ ...sessionStorage })).toContain('/account/billing?tab=card')
    expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }])).not.toContain('4444')
  })

  test('without one it says what belongs here; a failed payment is paid with it at once', async () => {
    const page = await billing('card', { status: 'requires_payment_method' })
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

  test('what the bank asks about is paid with it, too; the banner over it leads to no place that one is at', async () => {
    const page = await billing('card', { status: 'requires_action' })
    page.open()
    expect(await screen.findByRole('button', { name: 'Save card and pay $49.00' })).toBeVisible()
    expect(screen.getByText('You need to authorize your payment')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Check again' })).toBeVisible()
    expect(screen.queryByRole('link', { name: /^Or enter your card/ })).toBeNull()
  })

  test('of a subscription that was canceled is shown and can’t be replaced: nothing is charged to it', async () => {
    const page = await billing('card', { status: 'canceled' })
    page.open()
    expect(await screen.findByText('•••• 4242')).toBeVisible()
    expect(screen.queryByLabelText('Card number')).toBeNull()
  })

  test('[error:fetch] a provider that is down is told, and asked again', async () => {
    const page = await billing('card')
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

  test('a frame stands in while it loads', async () => {
    const page = await billing('card')
    page.server.answer('billing.card', () => new Promise(() => undefined))
    page.open()
    await screen.findByRole('tab', { name: 'Card' })
    expect(within(screen.getByRole('tabpanel')).getByText('Loading')).toBeInTheDocument()
  })
})

/** A list of invoices as the server answers it. */
const listed = (data: object[], next: string | null = null) => ({
  data,
  page: { start: data.length > 0 ? 1 : 0, total: null, previous: null, next },
})

describe('[screen:billing.invoices] the invoices', () => {
  const cells = (row: HTMLElement) =>
    within(row)
      .getAllByRole('cell')
      .map(cell => cell.textContent)

  test('[entity:invoice] [call:GET /api/account/invoice] number, date, status and total of each', async () => {
    const page = await billing('invoices')
    page.server.answer('billing.invoices', {
      json: listed([invoice(118, { status: 'open' }), invoice(103)]),
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
    const page = await billing('invoices')
    const invoices = [
      invoice(116, { status: 'open', page: 'https://invoice.stripe.com/i/1' }),
      invoice(115, { refunded: 11_808 }),
      invoice(114, { refunded: 1000 }),
      invoice(111, { total: -3700 }),
      invoice(113, { credited: 11_808 }),
      invoice(112, { credited: 500 }),
    ]
    page.server.answer('billing.invoices', { json: listed(invoices) })
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

  test('[screen:billing.invoice-badge] [const:invoice.paid] the badge is green for paid and red for anything else', async () => {
    const page = await billing('invoices')
    const statuses = ['paid', 'open', 'draft', 'uncollectible', 'void']
    page.server.answer('billing.invoices', {
      json: listed(statuses.map((status, index) => invoice(100 + index, { status }))),
    })
    page.open()
    // Once in a column, once beside the total for phones.
    for (const badge of await screen.findAllByText('Paid')) expect(badge).toHaveClass('badge--success')
    for (const word of ['Unpaid', 'Draft', 'Written off', 'Void'])
      for (const badge of screen.getAllByText(word)) expect(badge, word).toHaveClass('badge--danger')
  })

  test('[screen:billing.invoice-download] the pdf opens in a tab of its own; a draft has neither number nor pdf', async () => {
    const page = await billing('invoices')
    page.server.answer('billing.invoices', {
      json: listed([invoice(119, { number: null, status: 'draft', invoice_pdf: null }), invoice(118)]),
    })
    page.open()
    const link = await screen.findByRole('link', { name: 'Download PL-2026-0118' })
    expect(link).toHaveAttribute('href', 'http://localhost:5001/sandbox/invoices/in_118/pdf')
    expect(link).toHaveAttribute('target', '_blank')
    expect(link).toHaveAttribute('rel', 'noopener')
    expect(screen.getByText('No number yet')).toBeVisible()
    expect(screen.getAllByRole('link', { name: /^Download/ })).toHaveLength(1)
  })

  test('says that paying an open invoice of an ended subscription does not bring back the plan', async () => {
    const page = await billing('invoices', { status: 'canceled' })
    page.server.answer('billing.invoices', { json: listed([invoice(119, { status: 'open' })]) })
    page.open()
    expect(await screen.findByText('Your subscription has ended')).toBeVisible()
    expect(screen.getByText(/doesn’t bring your plan back/)).toBeVisible()
  })

  test('older ones follow below, as far as there are any', async () => {
    const page = await billing('invoices')
    page.server.answer('billing.invoices', ({ query }) =>
      query.get('cursor') === '3.in_117'
        ? { json: listed([invoice(116)]) }
        : { json: listed([invoice(118), invoice(117)], '3.in_117') },
    )
    page.open()
    expect(await screen.findByText('2 invoices shown')).toBeVisible()
    await page.keyboard.click(screen.getByRole('button', { name: 'Show older' }))
    expect(await screen.findByText('PL-2026-0116')).toBeVisible()
    expect(screen.getByText('PL-2026-0118')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
  })

  test('none yet: what will be here', async () => {
    const page = await billing('invoices')
    page.server.answer('billing.invoices', { json: listed([]) })
    page.open()
    expect(await screen.findByText('No invoices yet')).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
  })

  test('[error:fetch] what didn’t load can be tried again, and frames stand in meanwhile', async () => {
    const page = await billing('invoices')
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
    answer({ json: listed([invoice(118)]) })
    expect(await screen.findByText('PL-2026-0118')).toBeVisible()
  })
})
