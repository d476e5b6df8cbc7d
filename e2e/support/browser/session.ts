import type { Page } from '@playwright/test'
import { callApi } from '../api.ts'
import type { Person } from '../people/people.ts'
import { appUrl } from '../urls.ts'
import { devtoolsOf } from './devtools.ts'

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
