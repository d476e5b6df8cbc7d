import { typeCode, withSecondFactor } from './support/authenticator-app.ts'
import { expectAccessible } from './support/axe.ts'
import { waitForLink, waitForMail } from './support/mail.ts'
import { call, inTwoAccounts, settled, signedIn, signedUp, verified } from './support/people.ts'
import {
  button,
  expectAt,
  expectInDefault,
  field,
  heading,
  labels,
  openAs,
  secret,
  signIn,
  toast,
} from './support/steps.ts'
import { expect, test } from './support/test.ts'

const fresh = 'tall-blue-harbour-42'

async function linkFor(person: { email: string; lastMail: string }) {
  await call('POST', '/api/auth/password/reset/request', { body: { email: person.email } })
  return waitForLink(person.email, person.lastMail, '/resetpassword')
}

test('[screen:login.forgot-link] [call:POST /api/auth/password/reset/request] [call:POST /api/auth/password/reset] from the forgotten password to the dashboard; every other device is out', async ({
  page,
  elsewhere,
  watch,
}) => {
  watch.allow(401, 422)
  const person = await inTwoAccounts()
  const device = await elsewhere()
  await openAs(device, person, '/account')

  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expectAt(page, '/forgotpassword')
  await expect(heading(page, 'Forgot your password?')).toBeFocused()
  await field(page, labels.email).fill(person.email)
  await button(page, 'Send reset link').click()
  await expect(page.getByText('Check your inbox')).toBeVisible()

  const { url, mail } = await waitForLink(person.email, person.lastMail, '/resetpassword')
  await page.goto(url)
  await expect(page).toHaveURL(/\/resetpassword$/)
  await expect(field(page, labels.email)).toHaveValue(person.email)
  await secret(page, 'New password').fill(fresh)
  await secret(page, labels.again).fill(fresh)
  await button(page, 'Save and sign in').click()
  await expect(toast(page, /^Your password is changed/)).toBeVisible()
  await expectInDefault(page)
  expect((await waitForMail(person.email, mail.id)).subject).toBe('Your password was changed')

  await device.reload()
  await expectAt(device, '/login')
  await signIn(device, person)
  await expect(secret(device, labels.password)).toHaveAccessibleDescription(/don’t match/)
  await signIn(device, { email: person.email, password: fresh })
  // Back to where the session ended.
  await expectAt(device, '/account')

  await page.goto(url)
  await expect(page.getByRole('alert')).toContainText('Reset Link Has Expired')
  await page.getByRole('link', { name: 'Get a new link' }).click()
  await expectAt(page, '/forgotpassword')
})

test('[rule:password.complex] [rule:form.password.complex] [rule:form.password.matches] what a password must be is told at its field, and the link stays good', async ({
  page,
  watch,
}) => {
  watch.allow(422)
  const person = await verified()
  const { url } = await linkFor(person)
  await page.goto(url)
  const word = secret(page, 'New password')
  for (const [typed, said] of [
    ['limestone1', 'Add at least one special character, such as ! or ?'],
    ['Password1!', /one of the first that are tried/],
    ['Okafor-2026', /easy to guess/],
  ] as const) {
    await word.fill(typed)
    await secret(page, labels.again).fill(typed)
    await button(page, 'Save and sign in').click()
    await expect(word).toHaveAccessibleDescription(said)
  }
  await word.fill(fresh)
  await expect(secret(page, labels.again)).toHaveAccessibleDescription('Passwords do not match')
  await secret(page, labels.again).fill(fresh)
  await button(page, 'Save and sign in').click()
  await expectAt(page, '/signup/plan')
})

test('[state:sign-in.2fa] a reset does not get around the second factor', async ({ page }) => {
  const person = await withSecondFactor(await settled())
  const { url } = await linkFor(person)
  await page.goto(url)
  await secret(page, 'New password').fill(fresh)
  await secret(page, labels.again).fill(fresh)
  await button(page, 'Save and sign in').click()
  await expectAt(page, '/login/otp')
  expect(await page.evaluate(() => localStorage.getItem('plinth.session'))).toBeNull()
  await typeCode(page, person.app.next())
  await expectAt(page, '/dashboard')
})

test('[state:after-sign-in] [T-38] an unproven user is proven by it; without a plan the plan is next', async ({
  page,
}) => {
  const person = await signedUp()
  const { mail } = await waitForLink(person.email)
  const { url } = await linkFor({ email: person.email, lastMail: mail.id })
  await page.goto(url)
  await secret(page, 'New password').fill(fresh)
  await secret(page, labels.again).fill(fresh)
  await button(page, 'Save and sign in').click()
  await expectAt(page, '/signup/plan')
  expect((await signedIn(person.email, fresh)).user.verified).toBe(true)
})

test('[T-13] a made-up link and one that a newer one replaced are told as expired', async ({
  page,
  watch,
}) => {
  watch.allow(422)
  const person = await settled()
  const old = await linkFor(person)
  await linkFor({ email: person.email, lastMail: old.mail.id })
  for (const dead of [old.url, '/resetpassword?token=made-up', '/resetpassword']) {
    await page.goto(dead)
    await expect(page.getByRole('alert')).toContainText('Reset Link Has Expired')
  }
})

test('[T-05] who is signed in as somebody else is told whom it makes them', async ({ page }) => {
  const [person, other] = [await settled(), await settled({ first: 'Tomas' })]
  const { url } = await linkFor(person)
  await openAs(page, other, url)
  await expect(page.getByText('Tomas Okafor is signed in here')).toBeVisible()
  await secret(page, 'New password').fill(fresh)
  await secret(page, labels.again).fill(fresh)
  await button(page, 'Save and sign in').click()
  await expectAt(page, '/dashboard')
  expect((await signedIn(person.email, fresh)).user.name).toBe('Mara Okafor')
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('[feature:translated] every state reads German and is accessible', async ({ page, watch }) => {
    watch.allow(422)
    const person = await settled({ language: 'de' })
    await page.goto('/forgotpassword')
    await expect(heading(page, 'Passwort vergessen?')).toBeVisible()
    await expectAccessible(page, 'forgot')
    await field(page, 'E-Mail-Adresse').fill(person.email)
    await button(page, 'Link senden').click()
    await expect(page.getByText('Sehen Sie in Ihr Postfach')).toBeVisible()
    await expectAccessible(page, 'sent')
    const { url, mail } = await waitForLink(person.email, person.lastMail, '/resetpassword')
    expect(mail.subject).toBe('Neues Passwort festlegen')
    await page.goto('/resetpassword?token=erfunden')
    await expect(page.getByRole('alert')).toContainText('Der Link ist abgelaufen')
    await expectAccessible(page, 'expired')
    await page.goto(url)
    await secret(page, 'Neues Passwort').fill('Passwort1!')
    await secret(page, 'Passwort bestätigen').fill('Passwort1!')
    await button(page, 'Speichern und anmelden').click()
    await expect(secret(page, 'Neues Passwort')).toHaveAccessibleDescription(/den ersten, die ausprobiert/)
    await expectAccessible(page, 'refused')
    await secret(page, 'Neues Passwort').fill(fresh)
    await secret(page, 'Passwort bestätigen').fill(fresh)
    await button(page, 'Speichern und anmelden').click()
    await expectAt(page, '/dashboard')
  })
})
