import { endSessionOnSubmit, openAs } from '../support/browser/session.ts'
import { waitForLink } from '../support/mail.ts'
import { button, field, heading, labels, passwordField } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { createUnverifiedPerson, newEmail } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const confirm = 'Confirm my email address'

test('[state:tabs] [state:verify.verifying] a waiting page continues by itself in another tab and on another device', async ({
  page,
  context,
  openOtherBrowser,
}) => {
  const person = await createUnverifiedPerson()
  const { url } = await waitForLink(person.email)
  await openAs(page, person, '/signup/verify')
  await expect(page.getByText('This page updates automatically')).toBeVisible()
  const device = await openOtherBrowser()
  await openAs(device, person, '/signup/verify')
  await expect(device.getByText('This page updates automatically')).toBeVisible()

  const mailed = await context.newPage()
  await mailed.goto(url)
  await button(mailed, confirm).click()
  await expectPath(mailed, '/signup/plan')
  await expectPath(page, '/signup/plan')
  // The verification renewed this session and ended the one of the other device.
  await expectPath(device, /^\/(login|signup\/plan)/)
})

test('[state:verify.401] after the session has ended, the link still works once signed in', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  const person = await createUnverifiedPerson()
  const { url } = await waitForLink(person.email)
  await openAs(page, person, url)
  await expect(button(page, confirm)).toBeVisible()
  await endSessionOnSubmit(page, person)
  await button(page, confirm).click()
  await expectPath(page, '/login')
  expect(await page.evaluate(() => localStorage.getItem('plinth.session'))).toBeNull()

  await field(page, labels.email).fill(person.email)
  await passwordField(page, labels.password).fill(person.password)
  await button(page, 'Login').click()
  await button(page, confirm).click()
  await expectPath(page, '/signup/plan')
})

test('[screen:verify.profile-link] [screen:profile.reverify] [route:/account/profile] a mistyped address is corrected before it is verified', async ({
  page,
}) => {
  const person = await createUnverifiedPerson()
  const right = newEmail('right')
  await openAs(page, person, '/signup/verify')
  await page.getByRole('link', { name: 'Change my email address' }).click()
  await expect(heading(page, 'Profile')).toBeVisible()
  await field(page, labels.email).fill(right)
  await button(page, 'Save changes').first().click()
  await expectPath(page, '/signup/verify')
  await expect(page.getByText(`We sent a link to ${right}.`)).toBeVisible()

  const { url } = await waitForLink(right)
  await page.goto(url)
  await button(page, confirm).click()
  await expectPath(page, '/signup/plan')
  await expect(page.getByText(`Signed in as ${right}.`)).toBeVisible()
})
