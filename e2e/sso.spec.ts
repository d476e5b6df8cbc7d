import type { Page } from '@playwright/test'
import { typeCode, withSecondFactor } from './support/authenticator-app.ts'
import { expectAccessible } from './support/axe.ts'
import { waitForLink, waitForMail } from './support/mail.ts'
import { call, freshAddress, type Person, password, settled, signedUp } from './support/people.ts'
import { app, sandbox } from './support/places.ts'
import { answerAs, company, dns, enforce, ready } from './support/sso.ts'
import { button, expectAt, field, heading, openAs, signIn, toast } from './support/steps.ts'
import { expect, test } from './support/test.ts'

/** From the sign-in screen by the button to the provider's page. */
async function bySsoButton(page: Page, address: string) {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Sign in with SSO' }).click()
  await expectAt(page, '/login/saml')
  await field(page, 'Work email').fill(address)
  await button(page, 'Continue').click()
}

test('[feature:sso] [T-55] an owner sets single sign-on up: domain, provider, test, on', async ({ page }) => {
  const { owner, domain, metadata } = await company()
  await openAs(page, owner, '/account/sso')
  await expect(heading(page, 'Single sign-on')).toBeVisible()
  await expect(page.getByText('Single sign-on is off', { exact: true })).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Allow single sign-on' })).toBeDisabled()
  await expectAccessible(page, 'nothing set up')

  await field(page, 'Domain').fill(domain)
  await button(page, 'Add domain').click()
  await expect(page.getByText('Not confirmed')).toBeVisible()
  const value = await page.locator('code', { hasText: 'plinth-domain-verification=' }).innerText()
  await dns(`_plinth.${domain}`, value)
  await button(page, `Check record of ${domain}`).click()
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()

  await field(page, 'Metadata address').fill(metadata)
  await button(page, 'Connect').click()
  await expect(page.getByText(/^Expires on/)).toBeVisible()

  await button(page, 'Test sign-in').click()
  await answerAs(page, { email: `ida@${domain}` })
  await expectAt(page, '/account/sso')
  await expect(page.getByText(/^The test succeeded/)).toBeVisible()
  await expect(
    page
      .getByRole('definition')
      .filter({ hasText: `ida@${domain}` })
      .first(),
  ).toBeVisible()

  await page.getByRole('switch', { name: 'Allow single sign-on' }).click()
  await expect(page.getByText('Single sign-on is on', { exact: true })).toBeVisible()
  await page.getByRole('switch', { name: 'Require single sign-on' }).click()
  await expectAccessible(page, 'the question who keeps other ways')
  await button(page, 'Require it').click()
  await expect(page.getByText('Single sign-on is required', { exact: true })).toBeVisible()
  await expect(page.getByText('Other ways in stay open for Mara Okafor.')).toBeVisible()
  await expectAccessible(page, 'all set up')
})

test('[feature:sso] a record that is not there, metadata that is none, and a test that fails are told in their places', async ({
  page,
  watch,
}) => {
  watch.allow(422)
  const { owner, domain, metadata } = await company()
  await openAs(page, owner, '/account/sso')
  await field(page, 'Domain').fill('not a domain')
  await button(page, 'Add domain').click()
  await expect(field(page, 'Domain')).toHaveAccessibleDescription('Enter a domain such as northquay.example')
  await field(page, 'Domain').fill(domain)
  await button(page, 'Add domain').click()
  await button(page, `Check record of ${domain}`).click()
  await expect(toast(page, /The TXT record isn’t there yet/)).toBeVisible()

  await field(page, 'Metadata address').fill('https://127.0.0.1/metadata')
  await button(page, 'Connect').click()
  await expect(field(page, 'Metadata address')).toHaveAccessibleDescription(/Give a public https address/)
  await button(page, 'Paste XML instead').click()
  await field(page, 'Metadata as XML').fill('<x/>')
  await button(page, 'Connect').click()
  await expect(field(page, 'Metadata as XML')).toHaveAccessibleDescription(/no SAML metadata/)
  await field(page, 'Metadata as XML').fill(await (await fetch(metadata)).text())
  await button(page, 'Connect').click()
  await expect(page.getByText(/^Expires on/)).toBeVisible()

  await button(page, 'Test sign-in').click()
  await answerAs(page, { email: `ida@${domain}` })
  await expect(page.getByText(/^The test failed/)).toBeVisible()
  await expect(
    page.getByText('The address is not of a confirmed domain. Confirm its domain in step 1.'),
  ).toBeVisible()
  await expectAccessible(page, 'a test that failed')
})

test('[feature:sso] [V7.5.1] a sign-in that is not fresh is asked for the password in place, and all owners hear of the change', async ({
  page,
  watch,
}) => {
  watch.allow(403)
  const { owner } = await ready()
  await page.route('**/api/sso/connection', async route => {
    // The clock of the server can't be turned from here: the first answer is the one of a session that is old.
    const asked = route.request().postDataJSON()
    if (route.request().method() !== 'PATCH' || asked.password) return route.continue()
    await route.fulfill({
      status: 403,
      json: { message: 'Enter your password to go on.', code: 'proof_required', inputError: 'password' },
    })
  })
  await openAs(page, owner, '/account/sso')
  await page.getByRole('combobox', { name: 'Permission of new members' }).selectOption('Developer')
  await page.getByRole('dialog').getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('combobox', { name: 'Permission of new members' })).toHaveValue('developer')
  let mail = await waitForMail(owner.email, owner.lastMail)
  while (!mail.text.includes('now get the permission')) mail = await waitForMail(owner.email, mail.id)
  expect(mail.subject).toContain('Single sign-on of')
})

test('[route:/login/saml] [route:/login/saml/callback] [screen:login.sso-button] [screen:saml.spinner] [text:sso] [call:GET /auth/saml] [call:POST /auth/saml/callback] somebody new cancels, tries again, and comes in; and again by the account’s own link', async ({
  page,
  elsewhere,
}) => {
  const { domain } = await ready()
  const address = `ida.${Date.now()}@${domain}`
  await bySsoButton(page, address)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toContainText('refused it, or you cancelled there')
  await expectAccessible(page, 'cancelled at the provider')
  await button(page, 'Try again').click()
  await answerAs(page, { email: address })
  await expectAt(page, '/welcome')
  await expect(heading(page, 'Welcome, Ida')).toBeVisible()
  expect(page.url()).not.toContain('token')

  const again = await elsewhere()
  await again.goto(`/login/saml?domain=${domain}`)
  await expectAccessible(again, 'the account’s own link')
  await button(again, `Continue to ${domain}`).click()
  await answerAs(again, { email: address })
  await expectAt(again, '/welcome')
})

test('[feature:sso] a member of several accounts opens this one alone, and is told why another stays closed', async ({
  page,
  watch,
}) => {
  watch.allow(403)
  const { owner, domain } = await ready()
  const address = `lea.${Date.now()}@${domain}`
  await bySsoButton(page, address)
  await answerAs(page, { email: address })
  await expectAt(page, '/welcome')
  const { id } = await userOf(page)
  // A second account, by a sign-up with the same address.
  const again = await signedUp({ email: address })
  const { token } = await waitForLink(address, '0', '/signup/verify')
  await call('POST', '/api/user/verify', { token: again.user.token, body: { token } })

  await page.goto('/login/saml')
  await field(page, 'Work email').fill(address)
  await button(page, 'Continue').click()
  await answerAs(page, { email: address })
  await button(page, 'Go on with SSO').click()
  await expectAt(page, '/welcome')
  const user = await userOf(page)
  expect(user).toMatchObject({ id, account_id: owner.user.account_id })
  expect(user.accounts).toHaveLength(2)
  await page.goto('/account')
  await button(page, 'Your menu').click()
  await page.getByRole('menuitemcheckbox', { checked: false }).click()
  await expect(toast(page, /which opens this account alone/)).toBeVisible()
  expect((await userOf(page)).account_id).toBe(owner.user.account_id)
})

test('[T-17] a member with a second factor is asked for it behind single sign-on too', async ({
  page,
  elsewhere,
}) => {
  const { domain } = await ready()
  const address = `ida.${Date.now()}@${domain}`
  await bySsoButton(page, address)
  await answerAs(page, { email: address })
  await expectAt(page, '/welcome')
  const user = { ...(await userOf(page)), token: await storedToken(page) }
  const { app: authenticator } = await withSecondFactor({ email: address, password: '', lastMail: '0', user })

  const second = await elsewhere()
  await bySsoButton(second, address)
  await answerAs(second, { email: address })
  await expectAt(second, '/login/otp')
  await typeCode(second, authenticator.next())
  await expectAt(second, '/welcome')
})

test('[T-22] where it is required, a password leads to the other door, with the reason; the chosen owner keeps theirs', async ({
  page,
  elsewhere,
  watch,
}) => {
  watch.allow(403)
  const made = await ready()
  const { owner, domain } = made
  const address = `ida.${Date.now()}@${domain}`
  await bySsoButton(page, address)
  await answerAs(page, { email: address })
  await expectAt(page, '/welcome')
  const member = await withPassword(page, address)
  await enforce(owner)

  const second = await elsewhere()
  await signIn(second, member)
  await expectAt(second, '/login/saml')
  await expect(toast(second, 'This account takes single sign-on only. Sign in with SSO.')).toBeVisible()
  await field(second, 'Work email').fill(address)
  await button(second, 'Continue').click()
  await answerAs(second, { email: address })
  await expectAt(second, '/welcome')

  const third = await elsewhere()
  await signIn(third, owner)
  await expectAt(third, '/dashboard')
})

test('[feature:sso] an address without single sign-on, one of another domain, and one from outside are refused in words', async ({
  page,
  elsewhere,
  watch,
}) => {
  watch.allow(403)
  const { domain } = await ready()
  await bySsoButton(page, `somebody@${freshAddress().split('@')[0]}.example`)
  await expect(page.getByText('There is no single sign-on for this address')).toBeVisible()
  await expect(page).toHaveURL(/\/login\/saml$/)
  await expectAccessible(page, 'no single sign-on')

  await field(page, 'Work email').fill(`ida@${domain}`)
  await button(page, 'Continue').click()
  await answerAs(page, { email: 'ida@elsewhere.example' })
  await expect(page.getByText('Something Went Wrong. Please try signing in again.')).toBeVisible()
  await expect(page.getByText(/whose domain isn’t confirmed/)).toBeVisible()
  await expectAccessible(page, 'refused')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expectAt(page, '/login')

  const outsider = await settled({ email: `olga.${Date.now()}@${domain}` })
  const other = await elsewhere()
  await bySsoButton(other, outsider.email)
  await answerAs(other, { email: outsider.email })
  await expect(other.getByText(/Ask an owner for an invite/)).toBeVisible()
})

test('[T-05] [T-51] a return without a token, one used before, and one of another browser sign nobody in', async ({
  page,
  elsewhere,
  watch,
}) => {
  watch.allow(422)
  await page.goto('/login/saml/callback?saml_callback=1')
  await expect(page.getByText('Something Went Wrong. Please try signing in again.')).toBeVisible()

  const { domain } = await ready()
  const address = `ida.${Date.now()}@${domain}`
  let back = ''
  page.on('request', request => {
    if (request.isNavigationRequest() && request.url().includes('token=')) back = request.url()
  })
  // The page never gets to use its token: somebody else saw the address first.
  watch.allowLine(/ERR_FAILED|NoAnswer|did not answer/)
  await page.route('**/auth/saml/callback', route =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await bySsoButton(page, address)
  await answerAs(page, { email: address })
  await expect(page.getByText('Something Went Wrong. Please try signing in again.')).toBeVisible()
  expect(back).toContain('token=')
  const other = await elsewhere()
  await other.goto(back)
  await expect(other.getByText('This sign-in could not be completed. Please start again.')).toBeVisible()
  await page.unroute('**/auth/saml/callback')
  await page.goto(back)
  await expectAt(page, '/welcome')
  await page.goto(back)
  await expect(heading(page, 'You’re signed in already')).toBeVisible()
  await expectAccessible(page, 'somebody is signed in')
  await button(page, 'Go on with SSO').click()
  await expect(page.getByText('This sign-in could not be completed. Please start again.')).toBeVisible()
})

test('[T-75] a page elsewhere leads to our screen and begins nothing', async ({ page }) => {
  const { domain } = await ready()
  await page.goto(`${sandbox}/`)
  await page.evaluate(to => window.location.assign(to), `${app}/auth/saml?domain=${domain}`)
  await expect(button(page, `Continue to ${domain}`)).toBeVisible()
  await expect(page).toHaveURL(/\/login\/saml$/)
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('[feature:sso] [feature:translated] the way in and the set-up', async ({ page, elsewhere }) => {
    const { owner, domain } = await ready()
    await call('PATCH', '/api/user', { token: owner.user.token, body: { locale: 'de' } })
    const address = `ida.${Date.now()}@${domain}`
    await page.goto('/login/saml')
    await expect(heading(page, 'Mit SSO anmelden')).toBeVisible()
    await field(page, 'Geschäftliche E-Mail-Adresse').fill(address)
    await expectAccessible(page, '/login/saml')
    await button(page, 'Weiter').click()
    await answerAs(page, { email: address })
    await expect(heading(page, 'Willkommen, Ida')).toBeVisible()

    const second = await elsewhere({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
    await openAs(second, { ...owner, user: { ...owner.user, locale: 'de' } }, '/account/sso')
    await expect(second.getByText('Single Sign-on ist an', { exact: true })).toBeVisible()
    await expectAccessible(second, '/account/sso')
    const wide = await second.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(wide).toBe(false)
  })
})

const storedToken = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('plinth.session') ?? '{}').token)

/** Who is signed in here, as the server sees it. */
const userOf = async (page: Page) =>
  (await call<Person['user']>('GET', '/api/auth', { token: await storedToken(page) })).data

/** A member who was made just in time sets a password in the session that single sign-on opened. */
async function withPassword(page: Page, email: string): Promise<{ email: string; password: string }> {
  const token = await storedToken(page)
  const answer = await call('PUT', '/api/user/password', { token, body: { newpassword: password } })
  if (answer.status !== 200) throw new Error(answer.message)
  return { email, password }
}
