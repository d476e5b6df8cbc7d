import { openAs } from '../support/browser/session.ts'
import { button, heading, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import {
  createOnboardedPerson,
  createPersonInTwoAccounts,
  createPersonWithPlan,
  createUnverifiedPerson,
  createVerifiedPerson,
  defaultAccountName,
} from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

test('while the code of a screen loads, its menu entry is marked and a progress bar is shown', async ({
  page,
}) => {
  await openAs(page, await createOnboardedPerson(), '/account/profile')
  const users = page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Users' })
  await expect(users).toBeVisible()
  const held = Promise.withResolvers<void>()
  await page.route(/\/assets\/UsersScreen-.*\.js/, async route => {
    await held.promise
    await route.continue()
  })
  await users.click()
  await expect(users).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('progressbar', { name: 'Loading the page' })).toBeAttached()
  await expect(heading(page, 'Profile')).toBeVisible()
  held.resolve()
  await expect(heading(page, 'Users')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Loading the page' })).toHaveCount(0)
})

test('a user with several accounts sees which one is open, and a toast after a switch', async ({ page }) => {
  await openAs(page, await createPersonInTwoAccounts(), '/dashboard')
  await expect(page.getByRole('banner').getByText(defaultAccountName)).toBeVisible()
  await button(page, 'Your menu').click()
  await page.getByRole('menuitemcheckbox', { name: 'First Harbour' }).click()
  await expect(toast(page, 'You’re now in First Harbour')).toBeVisible()
  await expect(page.getByRole('banner').getByText('First Harbour')).toBeVisible()
  await expect(toast(page, 'Welcome, Mara')).toHaveCount(0)
})

test('the screens of an unfinished sign-up offer to sign out', async ({ page }) => {
  await openAs(page, await createUnverifiedPerson(), '/signup/verify')
  await button(page, 'Sign out').click()
  await expectPath(page, '/login')
  await openAs(page, await createVerifiedPerson(), '/signup/plan')
  await button(page, 'Sign out').click()
  await expectPath(page, '/login')
})

test('a visitor at an unknown address sees the product, without the text for signed-in users', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(404)
  await page.goto('/nowhere')
  await expect(heading(page, 'There’s nothing here')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Plinth' })).toHaveAttribute('href', '/')
  await expect(page.getByText('Your work is safe')).toHaveCount(0)
})

test('on a phone all onboarding steps can be reached, with the heading at the same height', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await openAs(page, await createPersonWithPlan(), '/welcome')
  const steps = page.getByRole('navigation', { name: 'Steps' }).getByRole('button')
  const top = async () => (await page.getByRole('heading', { level: 1 }).boundingBox())?.y
  await expect(heading(page, /^Welcome/)).toBeVisible()
  const first = await top()
  await steps.last().click()
  await expect(heading(page, 'Invite your team')).toBeVisible()
  expect(await top()).toBe(first)
  await steps.first().click()
  await expect(heading(page, /^Welcome/)).toBeVisible()
})

test('all 16 digits of a card can be read on 320 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await openAs(page, await createVerifiedPerson(), '/signup/plan?id=startup')
  const number = page.getByRole('textbox', { name: 'Card number' })
  await number.fill('4242424242424242')
  const hidden = await number.evaluate(box => box.scrollWidth - box.clientWidth)
  expect(hidden).toBeLessThanOrEqual(0)
})
