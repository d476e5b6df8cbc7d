import type { CDPSession, Page } from '@playwright/test'

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** What the browser is told of a tab past Playwright, which has no word for it. */
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
