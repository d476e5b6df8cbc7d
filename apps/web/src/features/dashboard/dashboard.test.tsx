import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import type { Language } from '../../lib/i18n/language.ts'
import { completeSignIn } from '../../lib/session/complete-sign-in.ts'
import { leave } from '../../lib/session/store.ts'
import { dismiss } from '../../ui/overlay/toast.ts'

// The canvas needs a real browser; the rest of the chart does not.
vi.mock('../../ui/chart/ChartCanvas.tsx', () => ({ ChartCanvas: () => <canvas /> }))

const months = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-01`)

/** 45 users: User 01 is the newest and has paid least. */
const people = Array.from({ length: 45 }, (_, index) => ({
  id: `demo-${index + 1}`,
  name: `User ${String(index + 1).padStart(2, '0')}`,
  email: `user${index + 1}@x.example`,
  plan: index === 0 ? 'startup_yearly' : 'free',
  date_joined: new Date(Date.UTC(2026, 10, 20, 12) - index * 86_400_000).toISOString(),
  revenue: index * 100,
}))

const demo = {
  stats: [
    { label: 'revenue', value: 4_825_000, unit: 'money', icon: 'wallet', change: '+8.2%' },
    { label: 'trials_converted', value: 12_840, unit: 'count', icon: 'activity', change: '-4.1%' },
  ],
  revenue: {
    months,
    current: months.map(() => 4_825_000),
    previous: months.map(() => 2_000_000),
    currency: 'usd',
  },
  users: people,
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

let visits = 0
async function dashboard(
  path = '/dashboard',
  { language, data = demo }: { language?: Language; data?: object } = {},
) {
  visits += 1
  const user = sessionUser({ token: `token-${visits}`, permission: 'user', locale: language ?? 'en' })
  const page = await visit({ path, user, language })
  page.server.answer('dashboard.demo', { data })
  page.open()
  await waitFor(() => expect(screen.getByRole('table')).toHaveAttribute('aria-busy', 'false'))
  return page
}

const names = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map(row => within(row).getAllByRole('cell')[0]?.textContent ?? '')

describe('[route:/dashboard] [call:GET /api/demo]', () => {
  test('[screen:dashboard.stats] shows each figure with its label and change, in the user’s number format', async () => {
    await dashboard()
    const stats = await screen.findByRole('region', { name: 'This month' })
    expect(within(stats).getByText('Revenue this month')).toBeVisible()
    expect(within(stats).getByText('$48,250')).toBeVisible()
    expect(within(stats).getByText('12,840')).toBeVisible()
    expect(within(stats).getByText('+8.2%')).toBeVisible()
    expect(within(stats).getByText('−4.1%')).toBeVisible()
  })

  test('[text:missing-icon] a figure without an icon is shown and the missing icon is logged', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    await dashboard('/dashboard', { data: { ...demo, stats: [{ ...demo.stats[0], icon: 'lost' }] } })
    const stats = await screen.findByRole('region', { name: 'This month' })
    expect(within(stats).getByText('$48,250')).toBeVisible()
    expect(warned).toHaveBeenCalledWith('There is no icon lost')
    expect(screen.queryByText('Something went wrong')).toBeNull()
  })

  test('[feature:translated] the figures are translated to German', async () => {
    await dashboard('/dashboard', { language: 'de' })
    expect(await screen.findByText('48.250 $')).toBeVisible()
    expect(screen.getByText('+8,2 %')).toBeVisible()
    expect(screen.getByText('1–20 von 45')).toBeVisible()
  })

  test('[screen:dashboard.chart] the revenue chart has a legend, a label, and a table behind a button', async () => {
    const { keyboard } = await dashboard()
    const chart = await screen.findByRole('region', { name: 'Revenue' })
    expect(within(chart).getByText('Last 12 months')).toBeVisible()
    expect(within(chart).getByRole('img')).toHaveAccessibleName(/from \$48,250 in Jan to \$48,250 in Dec/)
    await keyboard.click(within(chart).getByRole('button', { name: 'Show as a table' }))
    expect(within(chart).getAllByRole('row')).toHaveLength(13)
    expect(within(chart).getAllByText('$20,000')).toHaveLength(12)
  })

  test('months of two years show their year', async () => {
    const two = months.map(
      (_, n) => `${n < 3 ? 2025 : 2026}-${String(((n + 9) % 12) + 1).padStart(2, '0')}-01`,
    )
    const { keyboard } = await dashboard('/dashboard', {
      data: { ...demo, revenue: { ...demo.revenue, months: two } },
    })
    const chart = await screen.findByRole('region', { name: 'Revenue' })
    expect(within(chart).getByRole('img')).toHaveAccessibleName(/in Oct 2025 to \$48,250 in Sep 2026/)
    await keyboard.click(within(chart).getByRole('button', { name: 'Show as a table' }))
    const rows = within(chart)
      .getAllByRole('row')
      .slice(1)
      .map(row => within(row).getAllByRole('cell')[0]?.textContent)
    expect(rows).toEqual([
      'Oct 2025',
      'Nov',
      'Dec',
      'Jan 2026',
      'Feb',
      'Mar',
      'Apr',
      'May',
      'Jun',
      'Jul',
      'Aug',
      'Sep 2026',
    ])
  })

  test('[text:chart.empty] without figures there is no chart', async () => {
    await dashboard('/dashboard', {
      data: { ...demo, revenue: { months: [], current: [], previous: [], currency: 'usd' } },
    })
    expect(await screen.findByText('No data to show')).toBeVisible()
  })

  test('[screen:dashboard.notification] greets once on load', async () => {
    await dashboard()
    expect(await screen.findByText('Welcome, Mara')).toBeVisible()
    expect(screen.getAllByText(/This is sample data/)).toHaveLength(1)
  })

  test('greets again after the next sign-in', async () => {
    await dashboard()
    expect(await screen.findByText('Welcome, Mara')).toBeVisible()
    act(() => dismiss())
    await waitFor(() => expect(screen.queryByText('Welcome, Mara')).toBeNull())
    act(() => leave())
    await act(() => completeSignIn(sessionUser()))
    expect(await screen.findByText('Welcome, Mara')).toBeVisible()
  })

  test('the page always says that the figures are sample data', async () => {
    await dashboard()
    expect(screen.getByText('The figures and users on this page are sample data.')).toBeVisible()
  })

  test('[error:fetch] a failed load says so and can be retried', async () => {
    const user = sessionUser({ token: 'token-of-a-failure' })
    const { server, keyboard, open } = await visit({ path: '/dashboard', user })
    server.answer('dashboard.demo', { status: 500, json: { message: 'Something went wrong on our side' } })
    open()
    expect(await screen.findByText('The dashboard didn’t load')).toBeVisible()
    server.answer('dashboard.demo', { data: demo })
    await keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('User 01')).toBeVisible()
  })

  test('shows the frame while the figures load', async () => {
    const user = sessionUser({ token: 'token-of-patience' })
    const { server, open } = await visit({ path: '/dashboard', user })
    server.answer('dashboard.demo', () => new Promise(() => undefined))
    open()
    const table = await screen.findByRole('table')
    expect(table).toHaveAttribute('aria-busy', 'true')
    expect(within(table).getByRole('columnheader', { name: 'Email' })).toBeInTheDocument()
    expect(screen.queryByText('Welcome, Mara')).not.toBeInTheDocument()
  })
})

describe('[screen:dashboard.users] the users', () => {
  test('[part:pagination] twenty per page, newest first, with a plan badge', async () => {
    const { keyboard } = await dashboard()
    expect(names()).toHaveLength(20)
    expect(names()[0]).toContain('User 01')
    expect(screen.getAllByText('Startup yearly')[0]).toBeVisible()
    expect(screen.getByText('Showing 1–20 of 45')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Previous' })).toBeDisabled()
    await keyboard.click(screen.getByRole('button', { name: 'Next' }))
    expect(address()).toBe('/dashboard?page=2')
    expect(screen.getByText('Showing 21–40 of 45')).toBeVisible()
    await keyboard.click(screen.getByRole('button', { name: 'Next' }))
    expect(names()).toHaveLength(5)
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled()
    act(() => window.history.back())
    await waitFor(() => expect(address()).toBe('/dashboard?page=2'))
  })

  test('[part:table.sort] a column header sorts up, then down, and the URL says so', async () => {
    const { keyboard } = await dashboard()
    const head = screen.getByRole('button', { name: 'Revenue to date' })
    await keyboard.click(head)
    expect(address()).toBe('/dashboard?sort=revenue')
    await keyboard.click(head)
    expect(address()).toBe('/dashboard?sort=-revenue')
    expect(names()[0]).toContain('User 45')
    expect(screen.getByRole('columnheader', { name: 'Revenue to date' })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
  })

  test('[part:table.search] the search covers names, addresses and plans, and starts at the first page', async () => {
    const { keyboard } = await dashboard('/dashboard?page=3')
    await keyboard.type(screen.getByRole('searchbox'), 'yearly')
    await waitFor(() => expect(address()).toBe('/dashboard?search=yearly'))
    expect(names()).toHaveLength(1)
    expect(screen.getByText('Showing 1–1 of 1')).toBeVisible()
  })

  test('[text:pagination.empty] a search without a match says so and can be cleared', async () => {
    const { keyboard } = await dashboard('/dashboard?search=nobody')
    expect(await screen.findByText('No Results')).toBeVisible()
    expect(screen.getByText(/No user matches “nobody”/)).toBeVisible()
    await keyboard.click(screen.getByRole('button', { name: 'Clear search' }))
    expect(address()).toBe('/dashboard')
    expect(names()).toHaveLength(20)
  })

  test('a shared URL shows the same rows; a page beyond the end becomes the last one', async () => {
    await dashboard('/dashboard?sort=name&page=99')
    expect(names().at(-1)).toContain('User 45')
    expect(screen.getByText('Showing 41–45 of 45')).toBeVisible()
  })

  test('[text:table.empty] an empty list says so', async () => {
    await dashboard('/dashboard', { data: { ...demo, users: [] } })
    expect(await screen.findByText('Nothing to show')).toBeVisible()
  })
})
