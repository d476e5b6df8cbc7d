import type { Page } from '@playwright/test'
import { expectAccessible } from '../browser/axe.ts'
import { expect } from '../test.ts'

export async function expectPath(page: Page, path: string | RegExp): Promise<void> {
  if (typeof path === 'string') await expect(page).toHaveURL(url => url.pathname === path)
  else await expect(page).toHaveURL(url => path.test(url.pathname + url.search))
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(wide, `${page.url()} scrolls sideways`).toBeLessThanOrEqual(0)
}

export async function expectFitsAndAccessible(page: Page, where: string): Promise<void> {
  await expectNoSidewaysScroll(page)
  await expectAccessible(page, where)
}
