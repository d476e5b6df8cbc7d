import { expectAccessible } from './support/axe.ts'
import { waitForMail } from './support/mail.ts'
import { call, password, settled } from './support/people.ts'
import { button, expectAt, field, heading, labels, openAs, secret, toast } from './support/steps.ts'
import { expect, test } from './support/test.ts'

const next = 'granite-lantern-2!'

test('[route:/account/password] [screen:password.form] [rule:password.old] a password is changed: wrong first, then right; other devices are out, this one is not', async ({
  page,
  elsewhere,
  watch,
}) => {
  watch.allow(422, 401)
  const person = await settled()
  const other = await elsewhere()
  await other.goto('/login')
  await field(other, labels.email).fill(person.email)
  await secret(other, labels.password).fill(person.password)
  await button(other, 'Login').click()
  await expectAt(other, '/dashboard')

  await openAs(page, person, '/account')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Change password/ })
    .click()
  await expect(heading(page, 'Password')).toBeVisible()
  await expectAccessible(page, 'password')
  await secret(page, 'Current password').fill('not-this-one!')
  await secret(page, 'New password').fill(next)
  await secret(page, 'Confirm new password').fill(next)
  await button(page, 'Change password').click()
  await expect(secret(page, 'Current password')).toHaveAccessibleDescription(/not your password/)
  await secret(page, 'Current password').fill(password)
  await button(page, 'Change password').click()
  await expect(toast(page, 'Password changed')).toBeVisible()
  await expect(secret(page, 'New password')).toHaveValue('')

  await other.goto('/account/profile')
  await expectAt(other, '/login')
  await page.goto('/account/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  expect((await waitForMail(person.email, person.lastMail)).subject).toMatch(
    /password was changed|new device/,
  )
  expect((await call('POST', '/api/auth', { body: { email: person.email, password } })).status).toBe(422)
  expect((await call('POST', '/api/auth', { body: { email: person.email, password: next } })).status).toBe(
    200,
  )
})

test.describe('in German, on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('[feature:translated] ein Passwort wird geändert', async ({ page, watch }) => {
    watch.allow(422)
    const person = await settled({ language: 'de' })
    await openAs(page, person, '/account/password')
    await secret(page, 'Aktuelles Passwort').fill(password)
    await secret(page, 'Neues Passwort').fill('Passwort-123!')
    await secret(page, 'Neues Passwort bestätigen').fill('Passwort-123!')
    await button(page, 'Passwort ändern').click()
    await expect(secret(page, 'Neues Passwort')).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page, 'password in German')
    await secret(page, 'Neues Passwort').fill(next)
    await secret(page, 'Neues Passwort bestätigen').fill(next)
    await button(page, 'Passwort ändern').click()
    await expect(page.getByText(/^Passwort geändert/)).toBeVisible()
  })
})
