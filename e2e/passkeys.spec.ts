import type { Page } from '@playwright/test'
import { withSecondFactor } from './support/authenticator-app.ts'
import { expectAccessible } from './support/axe.ts'
import { waitForMail } from './support/mail.ts'
import { addAuthenticator, withoutOffer } from './support/passkeys.ts'
import { inTwoAccounts, settled, signedUp, verified } from './support/people.ts'
import { button, expectAt, expectInDefault, openAs, signIn, signOutByMenu, toast } from './support/steps.ts'
import { expect, test } from './support/test.ts'

const texts = {
  en: {
    add: 'Add a passkey',
    ready: 'Your passkey is ready',
    name: 'Name',
    save: 'Save',
    door: 'Sign in with a passkey',
  },
  de: {
    add: 'Passkey hinzufügen',
    ready: 'Ihr Passkey ist bereit',
    name: 'Name',
    save: 'Speichern',
    door: 'Mit einem Passkey anmelden',
  },
}

const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

async function addPasskey(page: Page, name: string, words = texts.en): Promise<void> {
  await section(page).getByRole('button', { name: words.add }).click()
  const dialog = page.getByRole('dialog', { name: words.ready })
  await dialog.getByLabel(words.name).fill(name)
  await dialog.getByRole('button', { name: words.save }).click()
  await expect(section(page).getByText(name, { exact: true })).toBeVisible()
}

test('[screen:profile.passkeys] [screen:login.passkey] a passkey is added, named, signs in without password or code, and is removed', async ({
  page,
  watch,
}) => {
  watch.allow(422)
  await withoutOffer(page)
  const device = await addAuthenticator(page)
  const person = await inTwoAccounts()
  await openAs(page, person, '/account/profile')
  await expect(section(page).getByText('You have no passkey yet.')).toBeVisible()
  await addPasskey(page, 'Blue laptop')
  await expect(section(page)).toContainText('not used yet')
  expect(await device.count()).toBe(1)
  await expect
    .poll(async () => (await waitForMail(person.email, person.lastMail)).subject)
    .toBe('A passkey was added to your sign-in')

  await signOutByMenu(page)
  await button(page, texts.en.door).click()
  await expectInDefault(page)

  await page.goto('/account/profile')
  await expect(section(page)).toContainText('last used')
  await section(page).getByRole('button', { name: 'Remove Blue laptop' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove the passkey “Blue laptop”?' })
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, 'Blue laptop is removed')).toBeVisible()
  await expect(section(page).getByText('You have no passkey yet.')).toBeVisible()

  await signOutByMenu(page)
  await button(page, texts.en.door).click()
  await expect(toast(page, 'This passkey isn’t known here any more.')).toBeVisible()
  await expectAt(page, '/login')
})

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

test('[screen:login.passkey] [T-17] with the second factor on no code is asked for, and a passkey that verifies nobody gets nowhere', async ({
  page,
}) => {
  await withoutOffer(page)
  const device = await addAuthenticator(page)
  await openAs(page, await withSecondFactor(await settled()), '/account/profile')
  await addPasskey(page, 'Both factors')
  await device.fits(false)
  await signOutByMenu(page)
  await button(page, texts.en.door).click()
  await expect(button(page, texts.en.door)).not.toHaveAttribute('aria-busy')
  await expectAt(page, '/login')
  await device.fits(true)
  await button(page, texts.en.door).click()
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
  await section(page).getByRole('button', { name: texts.en.add }).click()
  await expect(button(page, texts.en.add)).not.toHaveAttribute('aria-busy')
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0)
  await signOutByMenu(page)
  await button(page, texts.en.door).click()
  await expect(button(page, texts.en.door)).not.toHaveAttribute('aria-busy')
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0)
  await signIn(page, person)
  await expectAt(page, '/dashboard')
})

test('[screen:login.passkey] a browser that knows no passkeys shows no door to them', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  const person = await settled()
  await page.goto('/login')
  await expect(button(page, 'Login')).toBeVisible()
  await expect(button(page, texts.en.door)).toHaveCount(0)
  await openAs(page, person, '/account/profile')
  await expect(section(page)).toContainText('This browser can’t make passkeys.')
})

test('[state:access.no-plan] without a plan a passkey opens the choice of one', async ({ page }) => {
  await addAuthenticator(page)
  await openAs(page, await verified(), '/account/profile')
  await addPasskey(page, 'Early')
  await page.context().setStorageState({ cookies: [], origins: [] })
  await page.goto('/login')
  await expectAt(page, '/signup/plan')
})

test('[state:access.unverified] T-38 nobody adds one before the address is confirmed', async ({ page }) => {
  await openAs(page, await signedUp(), '/account/profile')
  await expect(page.getByLabel('First name')).toBeVisible()
  await expect(section(page)).toHaveCount(0)
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('a passkey is added and signs in; axe finds nothing', async ({ page }) => {
    await withoutOffer(page)
    await addAuthenticator(page)
    const person = await settled({ language: 'de' })
    await openAs(page, person, '/account/profile')
    await addPasskey(page, 'Blaues Telefon', texts.de)
    await expectAccessible(page, 'a profile with a passkey')
    await section(page).getByRole('button', { name: 'Blaues Telefon entfernen' }).click()
    await expectAccessible(page, 'the question before it is removed')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Abbrechen' }).click()
    await button(page, 'Ihr Menü').click()
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await expect(button(page, texts.de.door)).toBeVisible()
    await expectAccessible(page, 'the sign-in')
    await button(page, texts.de.door).click()
    await expectAt(page, '/dashboard')
  })
})
