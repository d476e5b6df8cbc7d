import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForLink } from '../support/mail.ts'
import { button, field, labels } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { createOnboardedPerson, newEmail } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

/** Requests a link by the API. */
async function linkFor(person: { email: string; lastMail: string }) {
  await callApi('POST', '/api/auth/magic', { body: { email: person.email } })
  return waitForLink(person.email, person.lastMail, '/magic')
}

test('[T-04] a mail scanner that opens the link does not use it up; another device signs in', async ({
  page,
  openOtherBrowser,
}) => {
  const person = await createOnboardedPerson()
  const { url } = await linkFor(person)
  const scanner = await openOtherBrowser()
  for (let n = 0; n < 3; n++) {
    await fetch(url)
    await scanner.goto(url)
    await expect(button(scanner, 'Sign in')).toBeVisible()
  }
  await page.goto(url)
  await button(page, 'Sign in').click()
  await expectPath(page, '/dashboard')
})

test('[T-05] a link asks before it replaces the session of another person', async ({ page }) => {
  const [person, other] = [await createOnboardedPerson(), await createOnboardedPerson({ first: 'Tomas' })]
  const { url } = await linkFor(person)
  await openAs(page, other, '/dashboard')
  await page.goto(url)
  await expect(page.getByText(/^You’re signed in as Tomas Okafor\. This link signs you in as/)).toBeVisible()
  await expectAccessible(page, 'the question to replace the session')
  await button(page, 'Stay signed in').click()
  await expectPath(page, '/dashboard')
  const user = await callApi<{ name: string }>('GET', '/api/user', { token: other.user.token })
  expect(user.data.name).toBe('Tomas Okafor')

  await page.goto(url)
  await button(page, 'Sign in with the link').click()
  await expectPath(page, '/dashboard')
  await expect
    .poll(async () => (await callApi('GET', '/api/user', { token: other.user.token })).status)
    .toBe(401)
})

test('[T-10] an address without a user gets the same reply', async ({ page }) => {
  await page.goto('/login')
  await field(page, labels.email).fill(newEmail('nobody'))
  await button(page, 'Use a magic link instead').click()
  await button(page, 'Send Magic Link').click()
  await expect(page.getByText('Check your inbox')).toBeVisible()
})
