import { typeCode, withSecondFactor } from './support/authenticator-app.ts'
import { expectAccessible } from './support/axe.ts'
import { waitForLink } from './support/mail.ts'
import { call, freshAddress, settled, signedUp } from './support/people.ts'
import {
  button,
  endSessionAtSubmit,
  expectAt,
  field,
  heading,
  labels,
  openAs,
  secret,
  signIn,
  toast,
} from './support/steps.ts'
import { expect, test } from './support/test.ts'

const confirm = 'Confirm my email address'

test('[screen:verify.banner] [state:verify.info] [state:verify.expired] [text:verify.expired] a link that a newer one replaced says so; the resent one works', async ({
  page,
  watch,
}) => {
  watch.allow(422)
  const person = await signedUp()
  const old = await waitForLink(person.email)
  await call('POST', '/api/user/verify/request', { token: person.user.token })
  const second = await waitForLink(person.email, old.mail.id)

  await openAs(page, person, '/signup/verify')
  for (const dead of ['/signup/verify?token=made-up', old.url]) {
    await page.goto(dead)
    await button(page, confirm).click()
    await expect(page.getByRole('alert')).toContainText('Verification Link Has Expired')
  }
  await button(page, 'Resend email').click()
  await expect(toast(page, 'We sent you a new link')).toBeVisible()
  await expect(page.getByText('Verification Link Has Expired')).toBeHidden()

  const third = await waitForLink(person.email, second.mail.id)
  await page.goto(third.url)
  await button(page, confirm).click()
  await expectAt(page, '/signup/plan')

  // Used once more it is no news.
  await page.goto(third.url)
  await expectAt(page, '/signup/plan')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('[state:sign-in.2fa] [screen:onboarding.duplicate-step] an address that a user with a second factor has proven: the code is asked for, and both accounts are theirs', async ({
  page,
  watch,
}) => {
  watch.allow(401)
  const person = await withSecondFactor(await settled())
  const again = await signedUp({ email: person.email })
  const { url } = await waitForLink(person.email, person.lastMail, '/signup/verify')
  await openAs(page, again, url)
  await button(page, confirm).click()
  await expectAt(page, '/login')
  await signIn(page, person)
  await typeCode(page, person.app.next())
  await expect(heading(page, 'You already use Plinth')).toBeVisible()
  await page.goto('/account')
  await button(page, 'Your menu').click()
  const accounts = page.getByRole('menu').getByRole('menuitemcheckbox')
  await expect(accounts).toHaveCount(2)
  // Both are called after her: role and time tell them apart.
  await expect(accounts.filter({ hasText: 'Owner · since' })).toHaveCount(2)
  await expectAccessible(page, 'two accounts of one name')
})

test('[state:verify.done] [state:after-sign-in] a link opened where nobody is signed in asks for the sign-in and comes back', async ({
  page,
}) => {
  const person = await signedUp()
  const { url } = await waitForLink(person.email)
  await page.goto(url)
  await expectAt(page, '/login')
  await field(page, labels.email).fill(person.email)
  await secret(page, labels.password).fill(person.password)
  await button(page, 'Login').click()
  await expectAt(page, '/signup/verify')
  await button(page, confirm).click()
  await expectAt(page, '/signup/plan')
})

test('[state:tabs] [state:verify.verifying] a page that waits moves on by itself: in another tab, and on another device', async ({
  page,
  context,
  elsewhere,
}) => {
  const person = await signedUp()
  const { url } = await waitForLink(person.email)
  await openAs(page, person, '/signup/verify')
  await expect(page.getByText('this page moves on by itself')).toBeVisible()
  const device = await elsewhere()
  await openAs(device, person, '/signup/verify')
  await expect(device.getByText('this page moves on by itself')).toBeVisible()

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

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('[feature:translated] every state reads German and is accessible', async ({ page, watch }) => {
    watch.allow(422)
    const person = await signedUp({ language: 'de' })
    const { url } = await waitForLink(person.email)
    await openAs(page, { ...person, user: { ...person.user, locale: 'de' } }, '/signup/verify')
    await expect(heading(page, 'E-Mail-Adresse bestätigen')).toBeVisible()
    await expectAccessible(page, 'waiting')
    await page.goto('/signup/verify?token=erfunden')
    await expectAccessible(page, 'a link')
    await button(page, 'Meine E-Mail-Adresse bestätigen').click()
    await expect(page.getByRole('alert')).toContainText('abgelaufen')
    await expectAccessible(page, 'expired')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.goto(url)
    await button(page, 'Meine E-Mail-Adresse bestätigen').click()
    await expectAt(page, '/signup/plan')
  })
})
