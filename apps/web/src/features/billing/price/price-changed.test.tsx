import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { previewOf, priceList, quoteOf, subscriptionOf, upcomingOf } from '../../../../test/plans.ts'
import { queries } from '../../../lib/data/query.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const dates = {
  current_period_start: '2026-11-20T10:00:00.000Z',
  current_period_end: '2026-12-20T10:00:00.000Z',
}
const startup = { status: 'active', plan: 'startup', seats: 8, seat_price: 1200, ...dates }
const yearly = { ...startup, plan: 'startup_yearly' }
const visa = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 }
const settings = {
  payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' },
  inbox_url: null,
  support_email: 'help@plinth.example',
  locales: ['en', 'de'],
}
const notice = 'The price has changed. Nothing was charged.'

/** Opens the path as the owner of an account on Startup. A change to Scale costs $37.20. */
async function openAsOwner(path: string, now: object = {}) {
  const data = subscriptionOf({ ...startup, ...now })
  const page = await visit({ path, user: sessionUser({ plan: data.plan, subscription: data.status }) })
  page.server
    .answer('billing.subscription', { data })
    .answer('billing.plans', { data: priceList({ active: data.plan, trial: false }) })
    .answer('billing.previewPlan', { data: previewOf({ due_now: 3720 }) })
    .answer('billing.upcoming', { data: upcomingOf({ amount: 9600, credit: 3700 }) })
    .answer('billing.card', { data: visa })
    .answer('billing.usage', { status: 500 })
    .answer('profile.read', { data: profileOf(sessionUser()) })
    .answer('settings.read', { data: settings })
  page.open()
  return page
}
type Page = Awaited<ReturnType<typeof openAsOwner>>

/** The plan changes in another browser: the next call is refused, and all reads return the new state. */
function changeElsewhere({ server }: Page, now: object, preview: ReturnType<typeof previewOf>): void {
  const refusal = { message: notice, code: 'price_changed', data: preview }
  const data = subscriptionOf({ ...startup, ...now })
  server
    .answer('billing.changePlan', { status: 409, json: refusal })
    .answer('billing.subscription', { data })
    .answer('billing.plans', { data: priceList({ active: data.plan, trial: false }) })
    .answer('billing.upcoming', { data: upcomingOf({ amount: 12_000, credit: 1100 }) })
    .answer('billing.previewPlan', { data: preview })
}

/** Waits until the data that the refusal invalidated has been loaded. */
const waitForReload = () => waitFor(() => expect(queries.isFetching()).toBe(0))
const click = async ({ keyboard }: Page, name: string) =>
  keyboard.click(await screen.findByRole('button', { name }))
const panel = () => screen.getByRole('region', { name: 'What you will pay' })

describe('when the price changed because another browser changed the plan', () => {
  test('shows a notice above the new price, which the next click pays', async () => {
    const page = await openAsOwner('/account/billing?plan=scale')
    await screen.findByRole('button', { name: 'Change to Scale and pay $37.20 now' })
    changeElsewhere(page, yearly, previewOf({ due_now: 5120 }))
    await click(page, 'Change to Scale and pay $37.20 now')
    await screen.findByRole('radio', { name: /^Startup yearly ?Current/ })
    await waitForReload()
    expect(within(panel()).getByText(notice)).toBeVisible()
    expect(screen.getByRole('radio', { name: /^Scale/ })).toBeChecked()
    const button = screen.getByRole('button', { name: 'Change to Scale and pay $51.20 now' })
    expect(screen.getByText(notice).compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    page.server.answer('billing.changePlan', {
      data: { plan: 'scale', subscription: 'active', pending_plan: null },
    })
    await page.keyboard.click(button)
    await screen.findByText('Your plan is now Scale')
    await waitFor(() => expect(screen.queryByText(notice)).toBeNull())
    expect(page.server.asked('billing.changePlan')[1]?.body).toMatchObject({ quote: quoteOf(5120) })
  })

  test('hides the notice when another plan is selected', async () => {
    const page = await openAsOwner('/account/billing?plan=scale')
    await screen.findByRole('button', { name: 'Change to Scale and pay $37.20 now' })
    changeElsewhere(page, yearly, previewOf({ due_now: 5120 }))
    await click(page, 'Change to Scale and pay $37.20 now')
    await screen.findByRole('radio', { name: /^Startup yearly ?Current/ })
    await page.keyboard.click(screen.getByRole('radio', { name: /^Free/ }))
    expect(screen.queryByText(notice)).toBeNull()
  })

  test('names the current plan if it is the selected one', async () => {
    const page = await openAsOwner('/account/billing?plan=scale')
    await screen.findByRole('button', { name: 'Change to Scale and pay $37.20 now' })
    changeElsewhere(page, { plan: 'scale' }, previewOf({ when: 'none', lines: [], due_now: 0 }))
    await click(page, 'Change to Scale and pay $37.20 now')
    await screen.findByRole('radio', { name: /^Scale ?Current/ })
    await waitForReload()
    expect(within(panel()).getByText(notice).closest('.alert')).toHaveTextContent(
      'Your account is now on Scale.',
    )
    expect(within(panel()).queryByRole('button')).toBeNull()
  })

  test('shows the notice on the upgrade page', async () => {
    const page = await openAsOwner('/account/upgrade?plan=scale')
    await screen.findByRole('button', { name: 'Pay $37.20' })
    changeElsewhere(page, yearly, previewOf({ due_now: 5120 }))
    await click(page, 'Pay $37.20')
    await screen.findByRole('button', { name: 'Pay $51.20' })
    await waitForReload()
    expect(screen.getByText(notice)).toBeVisible()
  })

  test('shows the notice if keeping the plan fails because another plan is current', async () => {
    const page = await openAsOwner('/account/billing', { cancel_at_period_end: true, pending_plan: 'free' })
    await screen.findByRole('button', { name: 'Keep Startup' })
    changeElsewhere(page, { plan: 'scale' }, previewOf({ due_now: 5120 }))
    await click(page, 'Keep Startup')
    await screen.findByRole('radio', { name: /^Scale ?Current/ })
    await waitForReload()
    expect(screen.getByText(notice).closest('.alert')).toHaveTextContent('Your account is now on Scale.')
    expect(screen.queryByRole('button', { name: 'Keep Startup' })).toBeNull()
    await page.keyboard.click(screen.getByRole('radio', { name: /^Free/ }))
    expect(screen.queryByText(notice)).toBeNull()
  })
})

describe('after a refused price', () => {
  test('reloads the next payment and the credit', async () => {
    const page = await openAsOwner('/account/billing?plan=scale')
    expect(await screen.findByText('Next payment on Dec 20, 2026: $96.00')).toBeVisible()
    await screen.findByRole('button', { name: 'Change to Scale and pay $37.20 now' })
    changeElsewhere(page, {}, previewOf({ due_now: 5120 }))
    await click(page, 'Change to Scale and pay $37.20 now')
    expect(await screen.findByText('Next payment on Dec 20, 2026: $120.00')).toBeVisible()
    expect(screen.getByText('$11.00')).toBeVisible()
  })

  test('keeps the typed card when the saved card fails to reload', async () => {
    const page = await openAsOwner('/account/billing?tab=card')
    await page.keyboard.type(await screen.findByLabelText('Card number'), '5555555555554444')
    await page.keyboard.type(screen.getByLabelText(/Expiry/), '1234')
    await page.keyboard.type(screen.getByRole('textbox', { name: 'Security code' }), '123')
    const data = { quote: quoteOf(9800) }
    page.server
      .answer('POST /v1/payment_methods', { json: { id: 'pm_1' } })
      .answer('billing.replaceCard', { status: 409, json: { message: notice, code: 'price_changed', data } })
      .answer('billing.card', { status: 503, json: { message: '', code: 'payment_provider_down' } })
      .answer('billing.subscription', { data: subscriptionOf({ ...startup, card_quote: quoteOf(9800) }) })
    await click(page, 'Save card')
    await screen.findByRole('button', { name: 'Save card and pay $98.00' })
    await waitForReload()
    expect(screen.getByText(notice)).toBeVisible()
    expect(screen.getByLabelText('Card number')).toHaveValue('5555 5555 5555 4444')
  })
})
