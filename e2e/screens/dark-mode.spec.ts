import type { Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { openAs } from '../support/browser/session.ts'
import { button, heading } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { signIn, signOutByMenu } from '../support/pages/sign-in.ts'
import { createOnboardedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

async function chooseMode(page: Page, name: 'Dark mode' | 'Light mode'): Promise<void> {
  await button(page, 'Your menu').click()
  await page.getByRole('menuitem', { name }).click()
}
const root = (page: Page) => page.locator('html')

test('[menu:dark-mode] [state:dark-mode] [feature:dark-mode] [call:PATCH /api/user {dark_mode}] dark mode applies at once, survives a reload without a flash, and applies in another browser', async ({
  page,
  openOtherBrowser,
}) => {
  // Record the colour scheme when the body is created, before the first paint.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return
      observer.disconnect()
      document.documentElement.dataset.first = document.documentElement.className
    }).observe(document, { childList: true, subtree: true })
  })
  const person = await createOnboardedPerson()
  await signIn(page, person)
  await expectPath(page, '/dashboard')
  await expect(root(page)).not.toHaveClass(/dark/)
  const saved = page.waitForResponse(answer => answer.request().method() === 'PATCH')
  await chooseMode(page, 'Dark mode')
  await expect(root(page)).toHaveClass(/dark/)
  expect((await saved).ok()).toBe(true)

  await page.reload()
  await expect(heading(page, 'Dashboard')).toBeVisible()
  await expect(root(page)).toHaveAttribute('data-first', /dark/)

  const other = await openOtherBrowser()
  await signIn(other, person)
  await expectPath(other, '/dashboard')
  await expect(root(other)).toHaveClass(/dark/)
  await chooseMode(other, 'Light mode')
  await expect(root(other)).not.toHaveClass(/dark/)
})

test('[state:sign-out] after the sign-out the preference of the browser applies', async ({ page }) => {
  await openAs(page, await createOnboardedPerson(), '/dashboard')
  await chooseMode(page, 'Dark mode')
  await expect(root(page)).toHaveClass(/dark/)
  await signOutByMenu(page)
  await expect(root(page)).not.toHaveClass(/dark/)
})

test('[state:dark-mode] [error:other] a change that can’t be saved is undone and shows an error', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(500)
  const person = await createOnboardedPerson()
  await openAs(page, person, '/dashboard')
  await expect(heading(page, 'Dashboard')).toBeVisible()
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/user', async route => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    await answer.promise
    return route.fulfill({ status: 500, json: { message: 'Not now' } })
  })
  await chooseMode(page, 'Dark mode')
  await expect(root(page)).toHaveClass(/dark/)
  answer.resolve()
  await expect(page.getByText('Not now').first()).toBeVisible()
  await expect(root(page)).not.toHaveClass(/dark/)
  const { data } = await callApi<{ dark_mode: boolean }>('GET', '/api/user', { token: person.user.token })
  expect(data.dark_mode).toBe(false)
})

test.describe('in a browser that prefers dark', () => {
  test.use({ colorScheme: 'dark' })
  test('[state:dark-mode] a signed-out visitor sees dark mode', async ({ page }) => {
    await page.goto('/login')
    await expect(root(page)).toHaveClass(/dark/)
    await expect(page.locator('body')).toHaveCSS('color-scheme', /dark/)
  })

  test('[state:dark-mode] a person without a choice sees dark mode, after a reload too; choosing light mode wins', async ({
    page,
  }) => {
    const person = await createOnboardedPerson()
    await signIn(page, person)
    await expectPath(page, '/dashboard')
    await expect(root(page)).toHaveClass(/dark/)
    await page.reload()
    await expect(heading(page, 'Dashboard')).toBeVisible()
    await expect(root(page)).toHaveClass(/dark/)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(root(page)).not.toHaveClass(/dark/)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(root(page)).toHaveClass(/dark/)

    const saved = page.waitForResponse(answer => answer.request().method() === 'PATCH')
    await chooseMode(page, 'Light mode')
    expect((await saved).ok()).toBe(true)
    await page.reload()
    await expect(heading(page, 'Dashboard')).toBeVisible()
    await expect(root(page)).not.toHaveClass(/dark/)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(root(page)).not.toHaveClass(/dark/)
  })
})
