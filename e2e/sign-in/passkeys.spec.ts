import type { Page } from '@playwright/test'
import { openAs } from '../support/browser/session.ts'
import { addVirtualAuthenticator, disablePasskeyAutofill } from '../support/browser/virtual-authenticator.ts'
import { button } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { signIn, signOutByMenu } from '../support/pages/sign-in.ts'
import { createOnboardedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const passkeyButton = 'Sign in with a passkey'
const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

async function addPasskey(page: Page, name: string): Promise<void> {
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your passkey is ready' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(section(page).getByText(name, { exact: true })).toBeVisible()
}

test('[screen:login.passkey] the passkey that the browser offers in the email field signs in', async ({
  page,
}) => {
  await addVirtualAuthenticator(page)
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/profile')
  await addPasskey(page, 'Offered')
  await signOutByMenu(page)
  await expectPath(page, '/dashboard')
})

test('[screen:login.passkey] closing the passkey dialog shows no error, and the password still signs in', async ({
  page,
}) => {
  await disablePasskeyAutofill(page)
  const device = await addVirtualAuthenticator(page)
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/profile')
  await device.setUserVerified(false)
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(button(page, 'Add a passkey')).not.toHaveAttribute('aria-busy')
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0)
  await signOutByMenu(page)
  await button(page, passkeyButton).click()
  await expect(button(page, passkeyButton)).not.toHaveAttribute('aria-busy')
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0)
  await signIn(page, person)
  await expectPath(page, '/dashboard')
})

test('[screen:login.passkey] a browser without passkey support shows no passkey button', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  const person = await createOnboardedPerson()
  await page.goto('/login')
  await expect(button(page, 'Login')).toBeVisible()
  await expect(button(page, passkeyButton)).toHaveCount(0)
  await openAs(page, person, '/account/profile')
  await expect(section(page)).toContainText('This browser doesn’t support passkeys.')
})
