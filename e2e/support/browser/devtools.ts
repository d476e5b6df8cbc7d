import type { CDPSession, Page } from '@playwright/test'

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** A DevTools session of the page, for commands that Playwright does not offer. One per page. */
export function devtoolsOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? openDevtools(page)
  sessions.set(page, session)
  return session
}

async function openDevtools(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.enable')
  return session
}
