import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForMail } from '../support/mail.ts'
import { button, heading, passwordField } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { signIn, signOutByMenu } from '../support/pages/sign-in.ts'
import { codeField, enableTwoFactor, scanQrCode, typeCode } from '../support/people/authenticator-app.ts'
import { createOnboardedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const onOff = (page: Page) => page.getByRole('switch', { name: 'Ask for a code at sign-in' })
const picture = (page: Page) => page.getByRole('img', { name: /^QR code/ })

test('[state:2fa.on] [screen:2fa.qr] [screen:2fa.backup-code] the second factor is set up by scanning the QR code; the next sign-in asks for a code', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account')
  await page.getByRole('link', { name: /Enable two-factor/ }).click()
  await expectPath(page, '/account/2fa')
  await expect(page.getByText('Two-factor is off')).toBeVisible()
  await expectAccessible(page, 'two-factor off')
  await onOff(page).click()
  const { uri, app } = await scanQrCode(picture(page))
  expect(decodeURIComponent(uri)).toContain(`otpauth://totp/Plinth:${person.email}?issuer=Plinth&secret=`)
  await expectAccessible(page, 'two-factor set-up')
  await typeCode(page, app.nextCode(), 'Code from your app')
  const code = page.locator('code')
  await expect(code).toHaveText(/^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/)
  await expectAccessible(page, 'backup code')
  await button(page, 'Copy').click()
  const shown = await code.textContent()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown)
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()])
  expect(file.suggestedFilename()).toBe('plinth-backup-code.txt')
  await page.getByRole('checkbox', { name: /I’ve saved this code/ }).check()
  await button(page, 'Done').click()
  await expect(page.getByText('Two-factor is on')).toBeVisible()
  await expect(code).toHaveCount(0)
  expect((await waitForMail(person.email, person.lastMail)).subject).toBe('Two-factor sign-in is on')

  await page.goto('/account')
  await expect(page.getByText('Manage two-factor')).toBeVisible()
  await signOutByMenu(page)
  await signIn(page, person)
  await expectPath(page, '/login/otp')
  await expect(codeField(page)).toBeFocused()
  await expectAccessible(page, 'second step')
  await page.reload()
  await typeCode(page, app.nextCode())
  await expectPath(page, '/dashboard')
  await page.goBack()
  await expect(heading(page, 'Enter your code')).toHaveCount(0)
})

test('[state:2fa.off] [T-18] disabling the second factor asks first, and for the password after an old sign-in', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(403, 422)
  const person = await enableTwoFactor(await createOnboardedPerson())
  await openAs(page, person, '/account/2fa')
  // Answer the first call as the server does ten minutes after a sign-in.
  await page.route('**/api/user/2fa', async route => {
    const request = route.request()
    if (request.method() !== 'PUT' || request.postDataJSON().password) return route.continue()
    const json = {
      message: 'Enter your password to continue.',
      code: 'proof_required',
      inputError: 'password',
    }
    await route.fulfill({ status: 403, json })
  })
  await onOff(page).click()
  const dialog = page.getByRole('alertdialog', { name: 'Turn off two-factor sign-in?' })
  await expectAccessible(page, 'turning off')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(passwordField(page, 'Your password')).toBeFocused()
  await expectAccessible(page, 'turning off with the password')
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Two-factor is off')).toBeVisible()
  await expect(onOff(page)).not.toBeChecked()
  await signOutByMenu(page)
  await signIn(page, person)
  await expectPath(page, '/dashboard')
})

test('on a new phone the old app works until the code of the new one is confirmed', async ({
  page,
  openOtherBrowser,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  const person = await enableTwoFactor(await createOnboardedPerson())
  await openAs(page, person, '/account/2fa')
  await button(page, 'Set up again').click()
  const { app } = await scanQrCode(picture(page))
  const other = await openOtherBrowser()
  await signIn(other, person)
  await typeCode(other, person.app.nextCode())
  await expectPath(other, '/dashboard')
  await typeCode(page, app.nextCode(), 'Code from your app')
  await expect(page.getByText('Your backup code')).toBeVisible()
  await other.goto('/account')
  await expectPath(other, '/login')
  await signIn(other, person)
  await typeCode(other, app.nextCode())
  await expectPath(other, '/account')
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('[feature:translated] the second factor is set up and used to sign in', async ({ page }) => {
    const person = await createOnboardedPerson({ language: 'de' })
    await openAs(page, { ...person, user: { ...person.user, locale: 'de' } }, '/account/2fa')
    await page.getByRole('switch', { name: 'Bei der Anmeldung nach einem Code fragen' }).click()
    const { app } = await scanQrCode(picture(page).or(page.getByRole('img', { name: /^QR-Code/ })))
    await expectAccessible(page, 'set-up in German')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await typeCode(page, app.nextCode(), 'Code aus Ihrer App')
    await page.getByRole('checkbox', { name: /sicher gespeichert/ }).check()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await button(page, 'Fertig').click()
    await expect(page.getByText('Zwei-Faktor-Anmeldung ist an')).toBeVisible()
    expect((await waitForMail(person.email, person.lastMail)).subject).toBe('Zwei-Faktor-Anmeldung ist an')

    await page.evaluate(() => localStorage.clear())
    await page.goto('/login')
    await page.getByRole('textbox', { name: 'E-Mail-Adresse', exact: true }).fill(person.email)
    await passwordField(page, 'Passwort').fill(person.password)
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Code eingeben')).toBeVisible()
    await expectAccessible(page, 'second step in German')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await typeCode(page, app.nextCode(), 'Einmalcode')
    await expectPath(page, '/dashboard')
  })
})
