import { typeCode, withSecondFactor } from './support/authenticator-app.ts'
import { expectAccessible } from './support/axe.ts'
import { waitForLink } from './support/mail.ts'
import { call, freshAddress, inTwoAccounts, planned, settled, signedUp, verified } from './support/people.ts'
import { button, expectAt, expectInDefault, field, labels, openAs, toast } from './support/steps.ts'
import { expect, test } from './support/test.ts'

/** A link as if it had been asked for on another page. */
async function linkFor(person: { email: string; lastMail: string }) {
  await call('POST', '/api/auth/magic', { body: { email: person.email } })
  return waitForLink(person.email, person.lastMail, '/magic')
}

test('[screen:login.magic-mode] [screen:magic.spinner] [call:POST /api/auth/magic] [call:POST /api/auth/magic/verify] from the sign-in page to the mail to the dashboard, once', async ({
  page,
  watch,
}) => {
  watch.allow(422)
  const person = await settled()
  await page.goto('/login')
  await field(page, labels.email).fill(person.email)
  await button(page, 'Use a magic link instead').click()
  await expect(field(page, labels.email)).toHaveValue(person.email)
  await button(page, 'Send Magic Link').click()
  await expect(page.getByText('Check your inbox')).toBeVisible()
  await expect(button(page, /^Send again in/)).toBeDisabled()
  await expect(page.getByRole('link', { name: 'Open the inbox' })).toBeVisible()

  const { url } = await waitForLink(person.email, person.lastMail, '/magic')
  await page.goto(url)
  await expectAt(page, '/magic')
  await expect(page).toHaveURL(/\/magic$/)
  await expect(page.getByText(`This link signs you in as ${person.email}.`)).toBeVisible()
  await button(page, 'Sign in').click()
  await expectAt(page, '/dashboard')

  await page.evaluate(() => localStorage.clear())
  await page.goto(url)
  await expect(page.getByRole('alert')).toContainText('Magic Link Is Invalid')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expectAt(page, '/login')
})

test('[text:magic.invalid] [T-13] a made-up link and one that a newer one replaced are invalid', async ({
  page,
  watch,
}) => {
  watch.allow(422)
  const person = await settled()
  const old = await linkFor(person)
  const { url } = await linkFor({ email: person.email, lastMail: old.mail.id })
  for (const dead of [old.url, '/magic?token=made-up', '/magic']) {
    await page.goto(dead)
    await expect(page.getByRole('alert')).toContainText('Magic Link Is Invalid')
  }
  await page.goto(url)
  await button(page, 'Sign in').click()
  await expectAt(page, '/dashboard')
})

test('[T-04] programs that open the link, with scripts and without, use nothing up; another device signs in', async ({
  page,
  elsewhere,
}) => {
  const person = await settled()
  const { url } = await linkFor(person)
  const scanner = await elsewhere()
  for (let n = 0; n < 3; n++) {
    await fetch(url)
    await scanner.goto(url)
    await expect(button(scanner, 'Sign in')).toBeVisible()
  }
  await page.goto(url)
  await button(page, 'Sign in').click()
  await expectAt(page, '/dashboard')
})

test('[T-05] a link does not take the place of somebody else unasked', async ({ page }) => {
  const [person, other] = [await settled(), await settled({ first: 'Tomas' })]
  const { url } = await linkFor(person)
  await openAs(page, other, '/dashboard')
  await page.goto(url)
  await expect(page.getByText(/^As Tomas Okafor\. This link signs you in as/)).toBeVisible()
  await expectAccessible(page, 'somebody is signed in')
  await button(page, 'Stay signed in').click()
  await expectAt(page, '/dashboard')
  const alive = await call<{ name: string }>('GET', '/api/user', { token: other.user.token })
  expect(alive.data.name).toBe('Tomas Okafor')

  await page.goto(url)
  await button(page, 'Sign in with the link').click()
  await expectAt(page, '/dashboard')
  await expect
    .poll(async () => (await call('GET', '/api/user', { token: other.user.token })).status)
    .toBe(401)
})

test('[state:sign-in.2fa] the second factor is asked for before anybody is in', async ({ page }) => {
  const person = await withSecondFactor(await settled())
  const { url } = await linkFor(person)
  await page.goto(url)
  await button(page, 'Sign in').click()
  await expectAt(page, '/login/otp')
  await expect(page.getByText(`Signing in as ${person.email}.`)).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('plinth.session'))).toBeNull()
  await typeCode(page, person.app.next())
  await expectAt(page, '/dashboard')
})

test('[state:after-sign-in] [T-38] an unproven user is proven by it and told that the old password is gone; without a plan the plan is next', async ({
  page,
}) => {
  const person = await signedUp()
  const { mail } = await waitForLink(person.email)
  const { url } = await linkFor({ email: person.email, lastMail: mail.id })
  await page.goto(url)
  await button(page, 'Sign in').click()
  await expectAt(page, '/signup/plan')
  await expect(toast(page, /no longer works/)).toBeVisible()
  const old = await call('POST', '/api/auth', { body: { email: person.email, password: person.password } })
  expect(old.status).toBe(422)
})

test('[state:after-sign-in] who has no plan, and who has not finished, goes where they stopped', async ({
  page,
}) => {
  for (const [person, path] of [
    [await verified(), '/signup/plan'],
    [await planned(), '/welcome'],
  ] as const) {
    const { url } = await linkFor(person)
    await page.goto(url)
    await button(page, 'Sign in').click()
    await expectAt(page, path)
    await page.evaluate(() => localStorage.clear())
  }
})

test('[state:after-sign-in] who has several accounts enters the default one and has them all', async ({
  page,
}) => {
  const { url } = await linkFor(await inTwoAccounts())
  await page.goto(url)
  await button(page, 'Sign in').click()
  await expectInDefault(page)
})

test('[T-10] an address without a user is told the same', async ({ page }) => {
  await page.goto('/login')
  await field(page, labels.email).fill(freshAddress('nobody'))
  await button(page, 'Use a magic link instead').click()
  await button(page, 'Send Magic Link').click()
  await expect(page.getByText('Check your inbox')).toBeVisible()
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('[feature:translated] every state reads German and is accessible', async ({ page, watch }) => {
    watch.allow(422)
    const person = await settled({ language: 'de' })
    await page.goto('/login')
    await field(page, 'E-Mail-Adresse').fill(person.email)
    await button(page, 'Stattdessen Anmeldelink verwenden').click()
    await button(page, 'Anmeldelink senden').click()
    await expect(page.getByText('Sehen Sie in Ihr Postfach')).toBeVisible()
    await expectAccessible(page, 'sent')
    const { url, mail } = await waitForLink(person.email, person.lastMail, '/magic')
    expect(mail.subject).toBe('Ihr Link zum Anmelden')
    await page.goto('/magic?token=erfunden')
    await expect(page.getByRole('alert')).toContainText('Der Anmeldelink ist ungültig')
    await expectAccessible(page, 'invalid')
    await page.goto(url)
    await expect(page.getByText(`Dieser Link meldet Sie als ${person.email} an.`)).toBeVisible()
    await expectAccessible(page, 'link')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await button(page, 'Anmelden').click()
    await expectAt(page, '/dashboard')
  })
})
