import { openAs } from '../support/browser/session.ts'
import { waitForLink } from '../support/mail.ts'
import { button, field, heading, labels, passwordField, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { createOnboardedPerson, createUnverifiedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

test('[screen:onboarding.duplicate-step] a second sign-up with a verified address gives both accounts to the first password', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  const first = await createOnboardedPerson()
  const again = await createUnverifiedPerson({ email: first.email, first: 'Mara' })
  const { url, mail } = await waitForLink(first.email, first.lastMail)
  expect(mail.subject).toBe('You already use Plinth with this address')

  await openAs(page, again, url)
  await button(page, 'Confirm my email address').click()
  await expectPath(page, '/login')
  await expect(toast(page, /Sign in with the password you already had/)).toBeVisible()
  await expect(toast(page, 'Your session has ended')).toHaveCount(0)
  await field(page, labels.email).fill(first.email)
  await passwordField(page, labels.password).fill(first.password)
  await button(page, 'Login').click()
  await expect(heading(page, 'You already use Plinth')).toBeVisible()
  await expect(page.getByText('Your existing password still works')).toBeVisible()
  await button(page, 'Next').click()
  await expect(heading(page, 'Welcome, Mara')).toBeVisible()
  await button(page, 'Next').click()
  await button(page, 'Finish').click()
  await expectPath(page, '/dashboard')
  await button(page, 'Your menu').click()
  await expect(page.getByRole('menu').getByRole('menuitemcheckbox')).toHaveCount(2)
})
