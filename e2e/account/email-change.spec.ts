import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { type Mail, waitForMail } from '../support/mail.ts'
import { button, field, heading, labels, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { createOnboardedPerson, newEmail, type Person, password } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

async function mailOf(to: string, subject: string | RegExp, after = '0'): Promise<Mail> {
  const mail = await waitForMail(to, after)
  return mail.subject.match(subject) ? mail : mailOf(to, subject, mail.id)
}
const linkOf = (mail: Mail) => mail.links.find(link => link.includes('token=')) ?? ''
const signIn = async (email: string) =>
  (await callApi('POST', '/api/auth', { body: { email, password } })).status

const changeEmail = (person: Person, email: string) =>
  callApi('PATCH', '/api/user', { token: person.user.token, body: { email } })

test('[screen:profile.fields] [screen:profile.reverify] a new address signs in once it is verified; the old address gets a mail', async ({
  page,
}) => {
  const person = await createOnboardedPerson()
  const email = newEmail('new')
  await openAs(page, person, '/account/profile')
  await field(page, labels.email).fill(email)
  await button(page, 'Save changes').first().click()
  await expectPath(page, '/signup/verify')
  await expect(heading(page, 'Confirm your new address')).toBeVisible()
  await expect(page.getByText(`We sent a link to ${email}`)).toBeVisible()
  await expectAccessible(page, 'an address waiting for verification')

  // Before the verification everything works, and the old address signs in.
  await page.goto('/dashboard')
  await expectPath(page, '/dashboard')
  expect(await signIn(person.email)).toBe(200)
  expect(await signIn(email)).toBe(422)
  const notice = await mailOf(person.email, 'about to change', person.lastMail)
  expect(notice.text).toContain(email)

  await page.goto(linkOf(await mailOf(email, 'Confirm your new email address')))
  await button(page, 'Confirm my new address').click()
  await expectPath(page, '/account/profile')
  await expect(toast(page, 'Your new address is confirmed')).toBeVisible()
  await expect(field(page, labels.email)).toHaveValue(email)
  expect(await signIn(email)).toBe(200)
  expect(await signIn(person.email)).toBe(422)
})

test('after a typo the old address still signs in, and the link to the wrong one is invalid', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422)
  const person = await createOnboardedPerson()
  const typo = newEmail('typo')
  await openAs(page, person, '/account/profile')
  await field(page, labels.email).fill(typo)
  await button(page, 'Save changes').first().click()
  await button(page, 'Keep my old address').click()
  await expectPath(page, '/account/profile')
  await expect(field(page, labels.email)).toHaveValue(person.email)
  await expect(page.getByText('is waiting for confirmation')).toBeHidden()
  await page.goto(linkOf(await mailOf(typo, 'Confirm your new email address')))
  await expectPath(page, '/dashboard')
  await expect(toast(page, 'Nothing to confirm')).toBeVisible()
})

test('a link used twice shows an error; the verification signs out another device', async ({
  page,
  openOtherBrowser,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401, 422)
  const person = await createOnboardedPerson()
  const other = await openOtherBrowser()
  const email = newEmail('new')
  const again = await callApi<{ token: string }>('POST', '/api/auth', {
    body: { email: person.email, password },
  })
  await openAs(other, { ...person, user: { ...person.user, token: again.data.token } }, '/dashboard')
  await changeEmail(person, email)
  const url = linkOf(await mailOf(email, 'Confirm your new email address'))
  await openAs(page, person, url)
  await button(page, 'Confirm my new address').click()
  await expectPath(page, '/account/profile')
  await page.goto(url)
  await expectPath(page, '/dashboard')
  await expect(toast(page, 'Nothing to confirm')).toBeVisible()
  await other.goto('/account/profile')
  await expectPath(other, '/login')
})

test('the old address undoes a verified change: all sessions end, and a reset mail is sent', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401, 422)
  const person = await createOnboardedPerson()
  const email = newEmail('taken-over')
  await changeEmail(person, email)
  const undo = linkOf(await mailOf(person.email, 'about to change', person.lastMail))
  await openAs(page, person, linkOf(await mailOf(email, 'Confirm your new email address')))
  await button(page, 'Confirm my new address').click()
  await expectPath(page, '/account/profile')

  await page.goto(undo)
  await expect(heading(page, 'Keep your old address?')).toBeVisible()
  await expectAccessible(page, 'undo')
  await button(page, 'It wasn’t me: keep my address').click()
  await expect(page.getByText('Your old address is back')).toBeVisible()
  expect([await signIn(email), await signIn(person.email)]).toEqual([422, 422])
  await page.getByRole('link', { name: 'Choose a new password' }).click()
  await expectPath(page, '/forgotpassword')
  await page.goto(undo)
  await button(page, 'It wasn’t me: keep my address').click()
  await expect(page.getByText('This link no longer works')).toBeVisible()
})

test.describe('in German, on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('[feature:translated] a new address is verified', async ({ page }) => {
    const person = await createOnboardedPerson({ language: 'de' })
    const email = newEmail('neu')
    await openAs(page, person, '/account/profile')
    await field(page, 'E-Mail-Adresse').fill(email)
    await button(page, 'Änderungen speichern').first().click()
    await expect(heading(page, 'Neue Adresse bestätigen')).toBeVisible()
    await expectAccessible(page, 'an address waiting for verification in German')
    await page.goto(linkOf(await mailOf(email, 'Bestätigen Sie Ihre neue E-Mail-Adresse')))
    await button(page, 'Meine neue Adresse bestätigen').click()
    await expectPath(page, '/account/profile')
    await expect(field(page, 'E-Mail-Adresse')).toHaveValue(email)
  })
})
