import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForMail } from '../support/mail.ts'
import { button, field, heading, labels, passwordField, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { createOnboardedPerson, password } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const next = 'granite-lantern-2!'

test('[route:/account/password] [screen:password.form] [rule:password.old] a password change asks for the old password and signs out other devices', async ({
  page,
  openOtherBrowser,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422, 401)
  const person = await createOnboardedPerson()
  const other = await openOtherBrowser()
  await other.goto('/login')
  await field(other, labels.email).fill(person.email)
  await passwordField(other, labels.password).fill(person.password)
  await button(other, 'Login').click()
  await expectPath(other, '/dashboard')

  await openAs(page, person, '/account')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Change password/ })
    .click()
  await expect(heading(page, 'Password')).toBeVisible()
  await expectAccessible(page, 'password')
  await passwordField(page, 'Current password').fill('not-this-one!')
  await passwordField(page, 'New password').fill(next)
  await passwordField(page, 'Confirm new password').fill(next)
  await button(page, 'Change password').click()
  await expect(passwordField(page, 'Current password')).toHaveAccessibleDescription(/not your password/)
  await passwordField(page, 'Current password').fill(password)
  await button(page, 'Change password').click()
  await expect(toast(page, 'Password changed')).toBeVisible()
  await expect(passwordField(page, 'New password')).toHaveValue('')

  await other.goto('/account/profile')
  await expectPath(other, '/login')
  await page.goto('/account/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  expect((await waitForMail(person.email, person.lastMail)).subject).toMatch(
    /password was changed|new device/,
  )
  expect((await callApi('POST', '/api/auth', { body: { email: person.email, password } })).status).toBe(422)
  expect((await callApi('POST', '/api/auth', { body: { email: person.email, password: next } })).status).toBe(
    200,
  )
})

test.describe('in German, on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('[feature:translated] a password is changed', async ({ page, consoleGuard }) => {
    consoleGuard.allowStatus(422)
    const person = await createOnboardedPerson({ language: 'de' })
    await openAs(page, person, '/account/password')
    await passwordField(page, 'Aktuelles Passwort').fill(password)
    await passwordField(page, 'Neues Passwort').fill('Passwort-123!')
    await passwordField(page, 'Neues Passwort bestätigen').fill('Passwort-123!')
    await button(page, 'Passwort ändern').click()
    await expect(passwordField(page, 'Neues Passwort')).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page, 'password in German')
    await passwordField(page, 'Neues Passwort').fill(next)
    await passwordField(page, 'Neues Passwort bestätigen').fill(next)
    await button(page, 'Passwort ändern').click()
    await expect(page.getByText(/^Passwort geändert/)).toBeVisible()
  })
})
