import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '../browser/axe.ts'
import { callApi, defaultAccountName, type Person, password } from '../people/people.ts'
import { appUrl } from '../urls.ts'
import { devtoolsOf } from '../browser/devtools.ts'
import { expect } from '../test.ts'
import { type Language, textsOf } from '../texts.ts'

export const labels = {
  first: 'First name',
  last: 'Last name',
  workEmail: 'Work email',
  email: 'Email',
  password: 'Password',
  again: 'Confirm password',
}

/** The field of this label; buttons that mention the label are not meant. */
export const field = (page: Page, label: string): Locator =>
  page.getByRole('textbox', { name: label, exact: true })
export const passwordField = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true })
export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name })

export async function expectPath(page: Page, path: string | RegExp): Promise<void> {
  if (typeof path === 'string') await expect(page).toHaveURL(url => url.pathname === path)
  else await expect(page).toHaveURL(url => path.test(url.pathname + url.search))
}

/** Nothing is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(wide, `${page.url()} scrolls sideways`).toBeLessThanOrEqual(0)
}

/** The screen fits, and axe has nothing to say. */
export async function expectFitsAndAccessible(page: Page, where: string): Promise<void> {
  await expectNoSidewaysScroll(page)
  await expectAccessible(page, where)
}

export async function fillSignUp(page: Page, person: { email: string; first?: string }): Promise<void> {
  await field(page, labels.first).fill(person.first ?? 'Mara')
  await field(page, labels.last).fill('Okafor')
  await field(page, labels.workEmail).fill(person.email)
  await passwordField(page, labels.password).fill(password)
  await passwordField(page, labels.again).fill(password)
}

export async function signIn(
  page: Page,
  { email, password: word }: { email: string; password: string },
): Promise<void> {
  await page.goto('/login')
  await field(page, labels.email).fill(email)
  await passwordField(page, labels.password).fill(word)
  await button(page, 'Login').click()
}

/** No page is open, which could still write down what it hears of somebody else, and there are no cookies. */
async function leavePage(page: Page): Promise<void> {
  if (page.url() !== 'about:blank') await page.goto('about:blank')
  await page.context().clearCookies()
}

/**
 * Nobody is known in this browser any more; what belongs to the tab alone stays. Playwright's own way opens a page for
 * each place that was visited, and has what the browser had loaded fetched anew: it takes as long as two pages.
 */
export async function clearBrowser(page: Page, serverUrl = appUrl): Promise<void> {
  await leavePage(page)
  const session = await devtoolsOf(page)
  await session.send('Storage.clearDataForOrigin', { origin: serverUrl, storageTypes: 'local_storage' })
}

/** As if this person, and nobody else, had signed in in this browser before; then opens the path. */
export async function openAs(page: Page, person: Person, path: string): Promise<void> {
  // Whether an address waits is never stored: the browser asks.
  const stored = JSON.stringify({ ...person.user, email_pending: undefined })
  await leavePage(page)
  // Written by the document that comes, before its own scripts: Playwright's way opens a page for it and takes as long
  // as that, and what the browser is told to forget (as in `emptied`) it looks up anew, for a thirtieth of a journey.
  const source = `if (origin === ${JSON.stringify(person.serverUrl ?? appUrl)}) {
    localStorage.clear()
    localStorage.setItem('plinth.session', ${JSON.stringify(stored)})
  }`
  const session = await devtoolsOf(page)
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', { source })
  try {
    await page.goto(path, { waitUntil: 'commit' })
  } finally {
    await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier })
  }
  await page.waitForLoadState()
}

/** Somebody of several accounts landed in the default one, and the menu says which that is. */
export async function expectDefaultAccount(page: Page, path = '/dashboard', menu = 'Your menu'): Promise<void> {
  await expectPath(page, path)
  await button(page, menu).click()
  const list = page.getByRole('menu')
  await expect(list.getByRole('menuitemcheckbox')).toHaveCount(2)
  const open = list.getByRole('menuitemcheckbox', { checked: true })
  await expect(open).toHaveText(defaultAccountName)
  // Choosing what is open closes the menu; Escape might be for a notification that came over it.
  await open.click()
  await expect(list).toHaveCount(0)
}

/**
 * The session ends elsewhere just as the page sends what was typed. Ended any earlier, a call that the page makes of
 * its own could find it out first.
 */
export async function endSessionOnSubmit(page: Page, { user }: Person): Promise<void> {
  const writes = (url: URL) => url.pathname.startsWith('/api/') && url.pathname !== '/api/event'
  let ended = false
  await page.route(writes, async route => {
    if (route.request().method() !== 'GET' && !ended) {
      ended = true
      await callApi('DELETE', '/api/auth', { token: user.token })
    }
    await route.continue()
  })
}

export async function signOutByMenu(page: Page): Promise<void> {
  await button(page, 'Your menu').click()
  await page.getByRole('menuitem', { name: 'Signout' }).click()
  await expectPath(page, '/login')
}

/** Where toasts come; a key leads there, which stands in its name. */
const toastRegion = (language: Language): RegExp =>
  new RegExp(`^${textsOf(language)('global.toast.region').replace(/ \(.*/, '')}`)

export const toast = (page: Page, text: string | RegExp, language: Language = 'en'): Locator =>
  page
    .getByRole('region', { name: toastRegion(language) })
    .getByRole('listitem')
    .filter({ hasText: text })
