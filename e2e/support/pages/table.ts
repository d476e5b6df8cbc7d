import type { Locator, Page } from '@playwright/test'
import { expect } from '../test.ts'

export const row = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text })
export const dialog = (page: Page): Locator => page.locator('dialog[open]')

/** Expects the focus in a row menu or in the search after a row was removed. */
export async function expectFocusInList(page: Page): Promise<void> {
  const places = page.getByRole('button', { name: /^Actions for/ }).or(page.getByRole('searchbox'))
  await expect(places.and(page.locator(':focus'))).toHaveCount(1)
}

export async function chooseRowAction(page: Page, on: string, action: string): Promise<void> {
  await row(page, on)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
