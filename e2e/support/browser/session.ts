import type { Page } from '@playwright/test'
import { callApi } from '../api.ts'
import type { Person } from '../people/people.ts'
import { appUrl } from '../urls.ts'
import { devtoolsOf } from './devtools.ts'

/** Closes the page, so that it cannot write to the storage any more, and clears the cookies. */
async function leavePage(page: Page): Promise<void> {
  if (page.url() !== 'about:blank') await page.goto('about:blank')
  await page.context().clearCookies()
}

/**
 * Signs out by clearing cookies and local storage; the session storage of the tab stays. The method of Playwright opens
 * each visited origin and empties the HTTP cache, which takes as long as loading two pages.
 */
export async function clearBrowser(page: Page, serverUrl = appUrl): Promise<void> {
  await leavePage(page)
  const session = await devtoolsOf(page)
  await session.send('Storage.clearDataForOrigin', { origin: serverUrl, storageTypes: 'local_storage' })
}

/** Opens the path with the person's stored session and no other. */
export async function openAs(page: Page, person: Person, path: string): Promise<void> {
  // The browser never stores `email_pending`; it asks the server.
  const stored = JSON.stringify({ ...person.user, email_pending: undefined })
  await leavePage(page)
  // The next document writes the storage before its own scripts run. The method of Playwright opens a page for that,
  // and clearing the storage as in `clearBrowser` takes 3 % of a test.
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

/**
 * Ends the session on the server when the page submits a form. If it ended earlier, another request of the page could
 * receive the 401 first.
 */
export async function endSessionOnSubmit(page: Page, { user }: Person): Promise<void> {
  const isWrite = (url: URL) => url.pathname.startsWith('/api/') && url.pathname !== '/api/event'
  let ended = false
  await page.route(isWrite, async route => {
    if (route.request().method() !== 'GET' && !ended) {
      ended = true
      await callApi('DELETE', '/api/auth', { token: user.token })
    }
    await route.continue()
  })
}
