import { callApi } from '../support/api.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForLink, waitForMail } from '../support/mail.ts'
import { button, labels, passwordField } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { signIn } from '../support/pages/sign-in.ts'
import { createOnboardedPerson, createVerifiedPerson, signInByApi } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const fresh = 'tall-blue-harbour-42'

async function linkFor(person: { email: string; lastMail: string }) {
  await callApi('POST', '/api/auth/password/reset/request', { body: { email: person.email } })
  return waitForLink(person.email, person.lastMail, '/resetpassword')
}

test('[call:POST /api/auth/password/reset] a new password signs out other devices, works there, and sends a mail', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401, 422)
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account')
  const { token, mail } = await linkFor(person)
  const body = { email: person.email, password: fresh, confirm_password: fresh, jwt: token }
  expect((await callApi('POST', '/api/auth/password/reset', { body })).status).toBe(200)
  expect((await waitForMail(person.email, mail.id)).subject).toBe('Your password was changed')

  await page.reload()
  await expectPath(page, '/login')
  await signIn(page, person)
  await expect(passwordField(page, labels.password)).toHaveAccessibleDescription(/don’t match/)
  await signIn(page, { email: person.email, password: fresh })
  // The sign-in returns to the screen where the session ended.
  await expectPath(page, '/account')
})

test('[rule:password.complex] [rule:form.password.complex] [rule:form.password.matches] an unacceptable password shows an error at its field, and the link stays valid', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422)
  const person = await createVerifiedPerson()
  const { url } = await linkFor(person)
  await page.goto(url)
  const word = passwordField(page, 'New password')
  for (const [typed, error] of [
    ['limestone1', 'Add at least one special character, such as ! or ?'],
    ['Password1!', /too common/],
    ['Okafor-2026', /easy to guess/],
  ] as const) {
    await word.fill(typed)
    await passwordField(page, labels.again).fill(typed)
    await button(page, 'Save and sign in').click()
    await expect(word).toHaveAccessibleDescription(error)
  }
  await word.fill(fresh)
  await expect(passwordField(page, labels.again)).toHaveAccessibleDescription('Passwords do not match')
  await passwordField(page, labels.again).fill(fresh)
  await button(page, 'Save and sign in').click()
  await expectPath(page, '/signup/plan')
})

test('[T-05] a signed-in person sees which user the link signs in', async ({ page }) => {
  const [person, other] = [await createOnboardedPerson(), await createOnboardedPerson({ first: 'Tomas' })]
  const { url } = await linkFor(person)
  await openAs(page, other, url)
  await expect(page.getByText('Tomas Okafor is signed in here')).toBeVisible()
  await passwordField(page, 'New password').fill(fresh)
  await passwordField(page, labels.again).fill(fresh)
  await button(page, 'Save and sign in').click()
  await expectPath(page, '/dashboard')
  expect((await signInByApi(person.email, fresh)).user.name).toBe('Mara Okafor')
})
