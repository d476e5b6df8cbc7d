import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForLink, waitForMail } from '../support/mail.ts'
import { planRadio, submitPlan, typeCard } from '../support/pages/card-form.ts'
import { button, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { newCardNumber } from '../support/payments/cards.ts'
import { expectNoOpenSubscription, listSubscriptionStatuses } from '../support/payments/payment-provider.ts'
import { createOnboardedPerson, createVerifiedPerson, newEmail, password } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const question = 'Please enter your password to confirm your account deletion.'

test('[screen:profile.danger-zone] [rule:close.password] [role:close-owner] an owner closes a paid account with the password, and the subscription ends', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422)
  const person = await createVerifiedPerson()
  await openAs(page, person, '/signup/plan')
  await planRadio(page, 'yearly').check()
  await typeCard(page, newCardNumber())
  await submitPlan(page)
  await expectPath(page, /^\/(welcome|dashboard)/)
  expect(await listSubscriptionStatuses(person)).toEqual(['active'])

  await page.goto('/account/profile')
  await button(page, 'Close account').click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByText(question)).toBeVisible()
  await expectAccessible(page, 'close account')
  await dialog.getByRole('button', { name: 'Close account' }).click()
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Password', { exact: true }).fill('not-this-one!')
  await dialog.getByRole('button', { name: 'Close account' }).click()
  await expect(dialog.getByText('That’s not your password.')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Close account' }).click()
  await expectPath(page, '/login')
  await expect(toast(page, 'Your account is closed')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('plinth.session'))).toBeNull()
  expect((await callApi('POST', '/api/auth', { body: { email: person.email, password } })).status).toBe(422)
  await expectNoOpenSubscription(person)
})

test('cancelling the dialog closes nothing', async ({ page }) => {
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/profile')
  await button(page, 'Close account').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  expect((await callApi('POST', '/api/auth', { body: { email: person.email, password } })).status).toBe(200)
})

test('[role:close-other] a member leaves; the account stays open', async ({ page }) => {
  const owner = await createOnboardedPerson()
  const email = newEmail('member')
  const body = { email, permission: 'user' }
  await callApi('POST', '/api/invite', { token: owner.user.token, body })
  const { token: invite_id } = await waitForLink(email)
  const joined = await callApi<typeof owner.user>('POST', '/api/user', {
    body: {
      first_name: 'Tomás',
      last_name: 'Ribeiro',
      email,
      password,
      confirm_password: password,
      invite_id,
    },
  })
  const member = { email, password, lastMail: '0', user: joined.data }
  await openAs(page, member, '/account/profile')
  await button(page, 'Leave account').click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Leave account' }).click()
  await expectPath(page, '/login')
  expect((await callApi('POST', '/api/auth', { body: { email, password } })).status).toBe(422)
  expect((await callApi('GET', '/api/user', { token: owner.user.token })).status).toBe(200)
})

test.describe('in German, on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('[feature:translated] an account is closed', async ({ page }) => {
    const person = await createOnboardedPerson({ language: 'de' })
    await openAs(page, person, '/account/profile')
    await button(page, 'Konto schließen').click()
    const dialog = page.getByRole('alertdialog')
    await expectAccessible(page, 'close account in German')
    await dialog.getByLabel('Passwort', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Konto schließen' }).click()
    await expectPath(page, '/login')
    await expect
      .poll(async () => (await waitForMail(person.email, person.lastMail)).subject)
      .toMatch(/geschlossen/)
  })
})
