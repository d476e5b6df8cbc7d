import type { Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { openAs } from '../support/browser/session.ts'
import { button, heading, toast } from '../support/pages/elements.ts'
import { createOnboardedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const users = (page: Page) => page.getByRole('table', { name: 'Users' })
const rows = (page: Page) =>
  users(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search by name or email' })
const showing = (page: Page, text: string) =>
  expect(page.getByRole('navigation', { name: 'Pages of users' }).getByRole('status')).toHaveText(text)

test('[screen:dashboard.stats] [screen:dashboard.chart] [screen:dashboard.notification] [const:stat.per-row] [part:stat.change-up] [part:stat.change-down] the dashboard shows stats, a chart with a table of its figures, and a greeting', async ({
  page,
}) => {
  await openAs(page, await createOnboardedPerson(), '/dashboard')
  await expect(toast(page, 'Welcome, Mara')).toBeVisible()
  const month = page.getByRole('region', { name: 'This month' })
  await expect(month.getByRole('term')).toHaveText([
    'Revenue this month',
    'Active users',
    'New sign-ups',
    'Trials converted',
  ])
  await expect(month.getByRole('definition').first()).toHaveText(/^\$[\d,]+\+\d+\.\d%$/)
  await expect(month.getByRole('definition').last()).toContainText('−')

  const revenue = page.getByRole('region', { name: 'Revenue', exact: true })
  await expect(revenue.getByRole('img', { name: /^Revenue by month, from \$/ })).toBeVisible()
  await expect(revenue.getByText('Previous 12 months', { exact: true })).toBeVisible()
  await revenue.getByRole('button', { name: 'Show as a table' }).click()
  await expect(revenue.getByRole('table').getByRole('row')).toHaveCount(13)
  await revenue.getByRole('button', { name: 'Show as a chart' }).click()
  await expect(revenue.getByRole('img', { name: /^Revenue by month/ })).toBeVisible()
})

test('[screen:dashboard.users] [part:table.search] [part:table.sort] [part:pagination] the address holds search, sort and page for a reload and the back button', async ({
  page,
}) => {
  const person = await createOnboardedPerson()
  const { data } = await callApi<{ users: { name: string }[] }>('GET', '/api/demo', {
    token: person.user.token,
  })
  const newest = data.users.map(({ name }) => name)
  const byName = newest.toSorted(new Intl.Collator('en').compare)
  await openAs(page, person, '/dashboard')
  await showing(page, 'Showing 1–20 of 200')
  await expect(rows(page).first()).toContainText(newest[0] ?? '')
  await expect(
    users(page)
      .getByText(/^(Free|Startup|Scale)/)
      .first(),
  ).toBeVisible()
  const name = users(page).getByRole('columnheader', { name: 'Name' })
  await name.getByRole('button').click()
  await expect(name).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows(page).first()).toContainText(byName[0] ?? '')
  await name.getByRole('button').click()
  await expect(name).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(page).first()).toContainText(byName.at(-1) ?? '')
  await button(page, 'Next').click()
  await showing(page, 'Showing 21–40 of 200')
  await expect(page).toHaveURL(/sort=-name&page=2$/)

  await page.reload()
  await showing(page, 'Showing 21–40 of 200')
  await expect(name).toHaveAttribute('aria-sort', 'descending')
  await page.goBack()
  await showing(page, 'Showing 1–20 of 200')
  await page.goBack()
  await expect(name).toHaveAttribute('aria-sort', 'ascending')
  await page.goBack()
  await expect(rows(page).first()).toContainText(newest[0] ?? '')
})

test('[part:table.search] [text:pagination.empty] a search filters the rows, shows an empty result, and survives a reload', async ({
  page,
}) => {
  await openAs(page, await createOnboardedPerson(), '/dashboard')
  await search(page).fill('weber')
  await expect(rows(page).first()).toContainText('Weber')
  await expect(page).toHaveURL(/search=weber/)
  await page.reload()
  await expect(search(page)).toHaveValue('weber')
  await expect(rows(page).first()).toContainText('Weber')

  await search(page).fill('nobody at all')
  await expect(page.getByText('No user matches “nobody at all”')).toBeVisible()
  await showing(page, 'No Results')
  await button(page, 'Clear search').click()
  await showing(page, 'Showing 1–20 of 200')
})

test('[error:fetch] [state:fetch] loading figures show a placeholder; a failure shows an error and a retry', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(500)
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/demo', async route => {
    await answer.promise
    await route.fulfill({ status: 500, json: { message: 'The roof is leaking' } })
  })
  await openAs(page, await createOnboardedPerson(), '/dashboard')
  await expect(heading(page, 'Dashboard')).toBeVisible()
  await expect(page.getByRole('main').getByRole('status').first()).toHaveText('Loading')
  await expect(users(page)).toHaveAttribute('aria-busy', 'true')
  answer.resolve()
  await expect(page.getByText('The dashboard didn’t load')).toBeVisible()

  await page.unroute('**/api/demo')
  await button(page, 'Try again').click()
  await showing(page, 'Showing 1–20 of 200')
})

test('[screen:dashboard.users] on a phone a user takes two lines and no column is cut off', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, await createOnboardedPerson(), '/dashboard')
  await showing(page, 'Showing 1–20 of 200')
  await expect(rows(page).first()).toContainText('@')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
