import type { Page } from '@playwright/test'
import { addAuthenticator, withoutOffer } from './support/passkeys.ts'
import { settled } from './support/people.ts'
import { button, expectAt, openAs, signIn, signOutByMenu } from './support/steps.ts'
import { expect, test } from './support/test.ts'

const door = 'Sign in with a passkey'
const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

async function addPasskey(page: Page, name: string): Promise<void> {
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your passkey is ready' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(section(page).getByText(name, { exact: true })).toBeVisible()
}

test('[screen:login.passkey] what the browser offers in the email field signs in by itself', async ({
  page,
}) => {
  await addAuthenticator(page)
  const person = await settled()
  await openAs(page, person, '/account/profile')
  await addPasskey(page, 'Offered')
  await signOutByMenu(page)
  await expectAt(page, '/dashboard')
})

test('[screen:login.passkey] a question that is closed is no error, and the password still signs in', async ({
  page,
}) => {
  await withoutOffer(page)
  const device = await addAuthenticator(page)
  const person = await settled()
  await openAs(page, person, '/account/profile')
  await device.fits(false)
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(button(page, 'Add a passkey')).not.toHaveAttribute('aria-busy')
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0)
  await signOutByMenu(page)
  await button(page, door).click()
  await expect(button(page, door)).not.toHaveAttribute('aria-busy')
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0)
  await signIn(page, person)
  await expectAt(page, '/dashboard')
})

test('[screen:login.passkey] a browser that knows no passkeys shows no door to them', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  const person = await settled()
  await page.goto('/login')
  await expect(button(page, 'Login')).toBeVisible()
  await expect(button(page, door)).toHaveCount(0)
  await openAs(page, person, '/account/profile')
  await expect(section(page)).toContainText('This browser doesn’t support passkeys.')
})
