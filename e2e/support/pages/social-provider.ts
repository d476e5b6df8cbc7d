import type { Locator, Page } from '@playwright/test'
import { expect } from '../test.ts'
import { sandboxUrl } from '../urls.ts'

export const providerLink = (page: Page, name = 'Google'): Locator =>
  page.getByRole('link', { name, exact: true })

/** Signs in as any person on the provider page of the sandbox. */
export async function signInAtProvider(
  page: Page,
  who: { email: string; name?: string; verified?: boolean },
): Promise<void> {
  await expect(page).toHaveURL(url => url.origin === sandboxUrl)
  await page.getByText('Someone else').click()
  await page.getByLabel('Email', { exact: true }).fill(who.email)
  await page.getByLabel('Name', { exact: true }).fill(who.name ?? 'Ida Rhodes')
  if (who.verified === false) await page.getByRole('switch', { name: 'The address is verified' }).uncheck()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs in from the sign-in screen through the provider. */
export async function signInWithProvider(
  page: Page,
  who: { email: string; name?: string; verified?: boolean },
  name?: string,
): Promise<void> {
  await page.goto('/login')
  await providerLink(page, name).click()
  await signInAtProvider(page, who)
}
