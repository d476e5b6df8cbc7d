import type { Page } from '@playwright/test'
import { simulateTranslation } from '../support/browser/page-translation.ts'
import { openAs } from '../support/browser/session.ts'
import { button, field } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { navigate, screensOfRole, waitForScreen } from '../support/pages/screens.ts'
import {
  createOnboardedPerson,
  createPersonWithPlan,
  createUnverifiedPerson,
  createVerifiedPerson,
  type Person,
} from '../support/people/people.ts'
import { createSubscriber } from '../support/people/subscribers.ts'
import { expect, test } from '../support/test.ts'
import { textsOf } from '../support/texts.ts'

test.describe.configure({ timeout: 120_000 })
test.beforeEach(({ page }) => simulateTranslation(page))

const t = textsOf('en')

/** Expects the screen with translated texts; `consoleGuard` fails the test on errors of React. */
async function expectScreenTranslated(page: Page, where: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }), where).toBeVisible()
  await expect(page.getByText(t('global.error.page.title')), where).toHaveCount(0)
  await expect(page.locator('h1 font font').first(), where).toBeVisible()
}

async function visit(page: Page, path: string): Promise<void> {
  await navigate(page, path)
  await expectScreenTranslated(page, path)
}

/** Opens and closes a menu or dialog. */
async function openAndClose(page: Page, opener: string | RegExp, role: 'menu' | 'dialog'): Promise<void> {
  await button(page, opener).first().click()
  await expect(page.getByRole(role)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole(role)).toHaveCount(0)
}

test('a translated sign-in page switches between password and magic link and shows errors', async ({
  page,
}) => {
  await page.goto('/login')
  await button(page, t('auth.sign_in.magic')).click()
  await button(page, t('auth.sign_in.with_password')).click()
  await button(page, t('auth.sign_in.button')).click()
  await expect(page.getByText(t('global.form.error.required', { label: t('auth.email') }))).toBeVisible()
  await field(page, t('auth.email')).fill('mara@x.example')
  await expect(page.getByText(t('global.form.error.required', { label: t('auth.email') }))).toHaveCount(0)
  await button(page, t('auth.sign_in.magic')).click()
  await button(page, t('auth.sign_in.magic_button')).click()
  await expect(page.getByText(t('auth.verify.inbox'))).toBeVisible()
  await expectScreenTranslated(page, '/login')
})

test('translated screens that need no account open one after another', async ({ page, consoleGuard }) => {
  consoleGuard.allowStatus(404, 422)
  await page.goto('/login')
  await waitForScreen(page)
  for (const path of ['/signup', '/forgotpassword', '/login/saml', '/magic', '/resetpassword', '/login']) {
    await visit(page, path)
    // Do not wait here: `visit` must detect the next screen, even when both show an invalid link.
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(headings[path])
  }
})

const headings: Record<string, string> = {
  '/signup': t('auth.sign_up.title'),
  '/forgotpassword': t('auth.forgot.title'),
  '/login/saml': t('sso.start.title'),
  '/magic': t('auth.magic.invalid'),
  '/resetpassword': t('auth.reset.expired'),
  '/login': t('auth.sign_in.title'),
}

const steps: [string, () => Promise<Person>, string][] = [
  ['an unverified account', () => createUnverifiedPerson(), '/signup/verify'],
  ['an account without a plan', () => createVerifiedPerson(), '/signup/plan'],
  ['a new account', () => createPersonWithPlan(), '/welcome'],
]
for (const [who, make, path] of steps)
  test(`the translated screen of ${who} is shown`, async ({ page }) => {
    await openAs(page, await make(), path)
    await expectPath(page, path)
    await expectScreenTranslated(page, path)
  })

test('every translated screen of an owner opens, with its menus, dialogs, tabs and switches', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(403, 404, 422)
  await openAs(page, await createSubscriber({ plan: 'startup' }), '/dashboard')
  await waitForScreen(page)
  for (const { path } of screensOfRole('owner')) await visit(page, path)

  await visit(page, '/account/users')
  await openAndClose(page, 'Your menu', 'menu')
  await openAndClose(page, t('team.create.open'), 'dialog')
  await page.getByRole('searchbox').fill('nobody of this name')
  await expect(page.getByText(/nobody of this name/)).toBeVisible()
  await page.getByRole('searchbox').fill('nor of that')
  await expect(page.getByText(/nor of that/)).toBeVisible()

  await visit(page, '/account/billing')
  const tabs = page.getByRole('main').getByRole('tab')
  await expect(tabs).toHaveText([t('billing.tabs.plan'), t('billing.tabs.card'), t('billing.tabs.invoices')])
  for (const tab of await tabs.all()) {
    await tab.click()
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await expectScreenTranslated(page, 'billing tab')
  }

  await visit(page, '/account/notifications')
  await page.getByRole('switch').first().click()
  await visit(page, '/account/2fa')
  await page.getByRole('switch').first().click()
  await expect(page.getByRole('img').first()).toBeVisible()
  await page.getByRole('switch').first().click()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('billing')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expectScreenTranslated(page, 'after the palette')
})

test('a translated account that has no plan to pay for opens every screen', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(403, 404, 422)
  await openAs(page, await createOnboardedPerson(), '/dashboard')
  await waitForScreen(page)
  for (const { path } of screensOfRole('owner')) await visit(page, path)
})
