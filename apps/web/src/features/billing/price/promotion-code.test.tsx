import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { firstPreview, priceList, quoteOf, subscriptionOf } from '../../../../test/plans.ts'
import { queries } from '../../../lib/data/query.ts'

const settings = {
  payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' },
  inbox_url: null,
  support_email: 'help@plinth.example',
  locales: ['en', 'de'],
}
const promotion = {
  ...{ code: 'WELCOME20', percent_off: 20, amount_off: null, duration: 'repeating', months: 3 },
}
const yearly = {
  plan: 'startup_yearly',
  when: 'now',
  lines: [{ text: 'Startup yearly, seats: 1', amount: 12_000, proration: false }],
  discount: 2400,
  promotion,
  tax: 1824,
  due_now: 11_424,
  credit: 0,
  next_date: '2027-12-20T10:00:00.000Z',
  next_amount: 14_280,
  currency: 'usd',
  proration_date: null,
  quote: quoteOf(11_424),
}
const wrong = {
  status: 422,
  json: { code: 'promotion_code_unknown', message: 'There is no such code.', inputError: 'promotion_code' },
}

/** Answers with the discounted price if the query contains the code. */
const previewWithCode = ({ query }: { query: URLSearchParams }) => ({
  data: query.get('promotion_code') ? yearly : firstPreview(String(query.get('plan'))),
})

afterEach(() => {
  vi.useRealTimers()
})
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

async function openPage(path: string, has: { plan: string; status: string } | null = null) {
  const user = sessionUser({ plan: has?.plan ?? null, subscription: has?.status ?? null, onboarded: true })
  const page = await visit({ path, user })
  page.server
    .answer('billing.plans', { data: priceList({ active: has?.plan ?? null, trial: false }) })
    .answer('billing.subscription', { data: subscriptionOf(has ?? {}) })
    .answer('billing.previewPlan', ({ query }) => ({
      data: firstPreview(String(query.get('plan')), { trial: false }),
    }))
    .answer('billing.card', { data: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031 } })
    .answer('settings.read', { data: settings })
    .answer('profile.read', { data: profileOf(user) })
    .answer('POST /v1/payment_methods', { json: { id: 'pm_1' } })
  page.open()
  await screen.findAllByRole('radio')
  return page
}
type Page = Awaited<ReturnType<typeof openPage>>

async function applyCode({ keyboard }: Page, code: string) {
  await keyboard.click(await screen.findByRole('button', { name: 'Have a code?' }))
  expect(screen.getByLabelText('Code')).toHaveFocus()
  await keyboard.type(screen.getByLabelText('Code'), code)
  await keyboard.click(screen.getByRole('button', { name: 'Apply' }))
}

async function typeCard({ keyboard }: Page) {
  await keyboard.type(await screen.findByLabelText('Card number'), '4242424242424242')
  await keyboard.type(screen.getByLabelText(/Expiry/), '1234')
  await keyboard.type(screen.getByLabelText('Security code'), '123')
}
const amountOf = (label: string) => screen.getByText(label).nextSibling

describe('[route:/signup/plan] a promotion code', () => {
  test('opens with a button, shows its discount and is sent with the payment', async () => {
    const page = await openPage('/signup/plan?id=startup_yearly')
    expect(screen.queryByLabelText('Code')).not.toBeInTheDocument()
    page.server.answer('billing.previewPlan', previewWithCode)
    await applyCode(page, ' WELCOME20 ')
    expect(await screen.findByRole('button', { name: 'Pay $114.24' })).toBeEnabled()
    expect(amountOf('Discount')).toHaveTextContent('−$24.00')
    expect(amountOf('Tax')).toHaveTextContent('$18.24')
    expect(amountOf('Today')).toHaveTextContent('$114.24')
    expect(screen.getByRole('status')).toHaveTextContent('20% off for 3 months')
    expect(page.server.asked('billing.previewPlan').at(-1)?.query.get('promotion_code')).toBe('WELCOME20')
    await typeCard(page)
    page.server.answer('billing.choosePlan', {
      data: { plan: 'startup_yearly', subscription: 'active', onboarded: true },
    })
    await page.keyboard.click(screen.getByRole('button', { name: 'Pay $114.24' }))
    await waitFor(() => expect(page.server.asked('billing.choosePlan')).toHaveLength(1))
    expect(page.server.asked('billing.choosePlan')[0]?.body).toEqual({
      plan: 'startup_yearly',
      token: 'pm_1',
      promotion_code: 'WELCOME20',
      quote: yearly.quote,
    })
  })

  test.each([
    ['once', '$12.00 per month'],
    ['forever', null],
  ] as const)('on a trial: the price after a discount that applies %s', async (duration, after) => {
    const page = await openPage('/signup/plan?id=startup')
    page.server.answer('billing.previewPlan', {
      data: {
        ...firstPreview('startup'),
        promotion: { ...promotion, duration, months: null },
        next_amount: 960,
      },
    })
    await applyCode(page, 'WELCOME20')
    expect(await screen.findByText('$9.60')).toBeVisible()
    if (after) expect(amountOf('After the discount')).toHaveTextContent(after)
    else expect(screen.queryByText('After the discount')).toBeNull()
  })

  test('a valid code is checked again on window focus after some minutes, an invalid one is not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const page = await openPage('/signup/plan?id=startup_yearly')
    page.server.answer('billing.previewPlan', previewWithCode)
    await applyCode(page, 'WELCOME20')
    expect(await screen.findByRole('button', { name: 'Pay $114.24' })).toBeVisible()
    const lookups = () =>
      page.server.asked('billing.previewPlan').filter(({ query }) => query.has('promotion_code'))
    const comeBack = async (minutes: number) => {
      vi.advanceTimersByTime(minutes * 60_000)
      window.dispatchEvent(new Event('visibilitychange'))
      await waitFor(() => expect(queries.isFetching()).toBe(0))
    }
    await comeBack(1)
    expect(lookups()).toHaveLength(1)
    page.server.answer('billing.previewPlan', { data: { ...yearly, due_now: 9999, quote: quoteOf(9999) } })
    await comeBack(5)
    expect(await screen.findByRole('button', { name: 'Pay $99.99' })).toBeVisible()
    expect(lookups()).toHaveLength(2)
    page.server.answer('billing.previewPlan', ({ query }) =>
      query.has('promotion_code') ? wrong : previewWithCode({ query }),
    )
    await comeBack(6)
    expect(await screen.findByText('There is no such code.')).toBeVisible()
    await comeBack(6)
    expect(lookups()).toHaveLength(3)
  })

  test('an invalid code shows an error at its field and blocks payment until it is removed', async () => {
    const page = await openPage('/signup/plan?id=startup_yearly')
    page.server.answer('billing.previewPlan', ({ query }) =>
      query.get('promotion_code') ? wrong : previewWithCode({ query }),
    )
    await applyCode(page, 'WRONG')
    expect(await screen.findByText('There is no such code.')).toBeVisible()
    expect(screen.getByLabelText('Code')).toBeInvalid()
    await typeCard(page)
    await page.keyboard.click(screen.getByRole('button', { name: 'Pay $120.00' }))
    expect(page.server.asked('billing.choosePlan')).toHaveLength(0)
    expect(screen.getByLabelText('Code')).toHaveFocus()
    await page.keyboard.clear(screen.getByLabelText('Code'))
    expect(screen.queryByText('There is no such code.')).not.toBeInTheDocument()
    await page.keyboard.click(screen.getByRole('button', { name: 'Pay $120.00' }))
    await waitFor(() => expect(page.server.asked('billing.choosePlan')).toHaveLength(1))
    expect(page.server.asked('billing.choosePlan')[0]?.body).toEqual({
      plan: 'startup_yearly',
      token: 'pm_1',
      quote: quoteOf(12_000),
    })
  })

  test('a typed code that is not applied blocks payment; Enter applies it', async () => {
    const page = await openPage('/signup/plan?id=startup_yearly')
    await typeCard(page)
    await page.keyboard.click(screen.getByRole('button', { name: 'Have a code?' }))
    await page.keyboard.type(screen.getByLabelText('Code'), 'WELCOME20')
    await page.keyboard.click(screen.getByRole('button', { name: 'Pay $120.00' }))
    expect(await screen.findByText(/Apply the code first/)).toBeVisible()
    expect(page.server.asked('billing.choosePlan')).toHaveLength(0)
    page.server.answer('billing.previewPlan', previewWithCode)
    await page.keyboard.type(screen.getByLabelText('Code'), '{Enter}')
    expect(await screen.findByRole('button', { name: 'Pay $114.24' })).toBeVisible()
    await page.keyboard.click(screen.getByRole('button', { name: 'Remove' }))
    expect(screen.getByRole('button', { name: 'Pay $120.00' })).toBeVisible()
    expect(screen.getByLabelText('Code')).toHaveValue('')
  })
})

describe('a promotion code with a plan change', () => {
  const changed = { ...yearly, plan: 'startup_yearly', proration_date: 1_795_000_000 }

  test('[screen:billing.plan-form] is sent with the quote of the preview, and names the discount that it replaces', async () => {
    const page = await openPage('/account/billing?plan=startup_yearly', { plan: 'scale', status: 'active' })
    page.server.answer('billing.previewPlan', { data: { ...changed, discount: 0, promotion: null } })
    await page.keyboard.click(await screen.findByRole('button', { name: 'Have a code?' }))
    expect(screen.getByText('Replaces the code you used earlier.')).toBeVisible()
    page.server.answer('billing.previewPlan', { data: changed })
    await page.keyboard.type(screen.getByLabelText('Code'), 'WELCOME20{Enter}')
    expect(await screen.findByText('Discount')).toBeVisible()
    page.server.answer('billing.changePlan', {
      data: { plan: 'startup_yearly', subscription: 'active', pending_plan: null },
    })
    await page.keyboard.click(await screen.findByRole('button', { name: /pay \$114.24/ }))
    await waitFor(() => expect(page.server.asked('billing.changePlan')).toHaveLength(1))
    expect(page.server.asked('billing.changePlan')[0]?.body).toMatchObject({
      plan: 'startup_yearly',
      promotion_code: 'WELCOME20',
      quote: changed.quote,
    })
  })

  test('[screen:upgrade.form] works on the upgrade page, and a later refusal is shown at its field', async () => {
    const page = await openPage('/account/upgrade?plan=startup_yearly', { plan: 'scale', status: 'active' })
    page.server.answer('billing.previewPlan', { data: changed })
    await applyCode(page, 'WELCOME20')
    page.server.answer('billing.changePlan', {
      status: 422,
      json: { code: 'promotion_code_used_up', message: 'Used up.', inputError: 'promotion_code' },
    })
    await page.keyboard.click(await screen.findByRole('button', { name: 'Pay $114.24' }))
    expect(await screen.findByText('Used up.')).toBeVisible()
    expect(page.server.asked('billing.changePlan')[0]?.body).toMatchObject({ promotion_code: 'WELCOME20' })
  })
})
