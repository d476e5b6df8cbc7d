import { waitForLink } from './support/mail.ts'
import { freshAddress, signedUp } from './support/people.ts'
import {
  button,
  endSessionAtSubmit,
  expectAt,
  field,
  heading,
  labels,
  openAs,
  secret,
} from './support/steps.ts'
import { expect, test } from './support/test.ts'

const confirm = 'Confirm my email address'

test('[state:tabs] [state:verify.verifying] a page that waits moves on by itself: in another tab, and on another device', async ({
  page,
  context,
  elsewhere,
}) => {
  const person = await signedUp()
  const { url } = await waitForLink(person.email)
  await openAs(page, person, '/signup/verify')
  await expect(page.getByText('This page updates automatically')).toBeVisible()
  const device = await elsewhere()
  await openAs(device, person, '/signup/verify')
  await expect(device.getByText('This page updates automatically')).toBeVisible()

  const mailed = await context.newPage()
  await mailed.goto(url)
  await button(mailed, confirm).click()
  await expectAt(mailed, '/signup/plan')
  await expectAt(page, '/signup/plan')
  // The proof renewed the session; the other device has the one that ended with it.
  await expectAt(device, /^\/(login|signup\/plan)/)
})

test('[state:verify.401] a session that has ended is signed out, and the link still works after the sign-in', async ({
  page,
  watch,
}) => {
  watch.allow(401)
  const person = await signedUp()
  const { url } = await waitForLink(person.email)
  await openAs(page, person, url)
  await expect(button(page, confirm)).toBeVisible()
  await endSessionAtSubmit(page, person)
  await button(page, confirm).click()
  await expectAt(page, '/login')
  expect(await page.evaluate(() => localStorage.getItem('plinth.session'))).toBeNull()

  await field(page, labels.email).fill(person.email)
  await secret(page, labels.password).fill(person.password)
  await button(page, 'Login').click()
  await button(page, confirm).click()
  await expectAt(page, '/signup/plan')
})

test('[screen:verify.profile-link] [screen:profile.reverify] [route:/account/profile] a mistyped address is corrected before it is verified', async ({
  page,
}) => {
  const person = await signedUp()
  const right = freshAddress('right')
  await openAs(page, person, '/signup/verify')
  await page.getByRole('link', { name: 'Change my email address' }).click()
  await expect(heading(page, 'Profile')).toBeVisible()
  await field(page, labels.email).fill(right)
  await button(page, 'Save changes').first().click()
  await expectAt(page, '/signup/verify')
  await expect(page.getByText(`We sent a link to ${right}.`)).toBeVisible()

  const { url } = await waitForLink(right)
  await page.goto(url)
  await button(page, confirm).click()
  await expectAt(page, '/signup/plan')
  await expect(page.getByText(`Signed in as ${right}.`)).toBeVisible()
})
