import type { Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForMail } from '../support/mail.ts'
import { button, field, heading, toast } from '../support/pages/elements.ts'
import { expectNoSidewaysScroll, expectPath } from '../support/pages/expectations.ts'
import { signIn } from '../support/pages/sign-in.ts'
import { password } from '../support/people/people.ts'
import {
  createCompany,
  createCompanyWithSso,
  enforceSso,
  publishDnsRecord,
  signInAtIdentityProvider,
} from '../support/people/sso-company.ts'
import { expect, test } from '../support/test.ts'
import { appUrl, sandboxUrl } from '../support/urls.ts'

/** Opens the provider's page by the button on the sign-in screen. */
async function openProviderPage(page: Page, address: string) {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Sign in with SSO' }).click()
  await expectPath(page, '/login/saml')
  await field(page, 'Work email').fill(address)
  await button(page, 'Continue').click()
}

test('[feature:sso] [T-55] an owner sets up single sign-on: domain, provider, test, enable', async ({
  page,
}) => {
  const { owner, domain, metadata } = await createCompany()
  await openAs(page, owner, '/account/sso')
  await expect(heading(page, 'Single sign-on')).toBeVisible()
  await expect(page.getByText('Single sign-on is off', { exact: true })).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Allow single sign-on' })).toBeDisabled()
  await expectAccessible(page, 'single sign-on before the set-up')

  await field(page, 'Domain').fill(domain)
  await button(page, 'Add domain').click()
  await expect(page.getByText('Not confirmed')).toBeVisible()
  const value = await page.locator('code', { hasText: 'plinth-domain-verification=' }).innerText()
  await publishDnsRecord(`_plinth.${domain}`, value)
  await button(page, `Check record of ${domain}`).click()
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()

  await field(page, 'Metadata address').fill(metadata)
  await button(page, 'Connect').click()
  await expect(page.getByText(/^Expires on/)).toBeVisible()

  await button(page, 'Test sign-in').click()
  await signInAtIdentityProvider(page, { email: `ida@${domain}` })
  await expectPath(page, '/account/sso')
  await expect(page.getByText(/^Test succeeded/)).toBeVisible()
  await expect(
    page
      .getByRole('definition')
      .filter({ hasText: `ida@${domain}` })
      .first(),
  ).toBeVisible()

  await page.getByRole('switch', { name: 'Allow single sign-on' }).click()
  await expect(page.getByText('Single sign-on is on', { exact: true })).toBeVisible()
  await page.getByRole('switch', { name: 'Require single sign-on' }).click()
  await expectAccessible(page, 'the dialog to choose owners who keep other sign-in methods')
  await button(page, 'Require SSO').click()
  await expect(page.getByText('Single sign-on is required', { exact: true })).toBeVisible()
  await expect(page.getByText('Other sign-in methods stay on for Mara Okafor.')).toBeVisible()
  await expectAccessible(page, 'single sign-on set up')
})

test('[feature:sso] a missing DNS record, invalid metadata and a failed test show errors in their places', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422)
  const { owner, domain, metadata } = await createCompany()
  await openAs(page, owner, '/account/sso')
  await field(page, 'Domain').fill('not a domain')
  await button(page, 'Add domain').click()
  await expect(field(page, 'Domain')).toHaveAccessibleDescription('Enter a domain such as northquay.example')
  await field(page, 'Domain').fill(domain)
  await button(page, 'Add domain').click()
  await button(page, `Check record of ${domain}`).click()
  await expect(toast(page, /We couldn’t find the TXT record yet/)).toBeVisible()

  await field(page, 'Metadata address').fill('https://127.0.0.1/metadata')
  await button(page, 'Connect').click()
  await expect(field(page, 'Metadata address')).toHaveAccessibleDescription(/Enter a public https address/)
  await button(page, 'Paste XML instead').click()
  await field(page, 'Metadata as XML').fill('<x/>')
  await button(page, 'Connect').click()
  await expect(field(page, 'Metadata as XML')).toHaveAccessibleDescription(/isn’t SAML metadata/)
  await field(page, 'Metadata as XML').fill(await (await fetch(metadata)).text())
  await button(page, 'Connect').click()
  await expect(page.getByText(/^Expires on/)).toBeVisible()

  await button(page, 'Test sign-in').click()
  await signInAtIdentityProvider(page, { email: `ida@${domain}` })
  await expect(page.getByText(/^Test failed/)).toBeVisible()
  await expect(
    page.getByText('The address isn’t at a confirmed domain. Confirm its domain in step 1.'),
  ).toBeVisible()
  await expectAccessible(page, 'a test that failed')
})

test('[feature:sso] [V7.5.1] an old sign-in asks for the password, and all owners get a mail about the change', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(403)
  const { owner } = await createCompanyWithSso()
  await page.route('**/api/sso/connection', async route => {
    // The clock of the main server cannot be moved: answer the first request as for an old session.
    const body = route.request().postDataJSON()
    if (route.request().method() !== 'PATCH' || body.password) return route.continue()
    await route.fulfill({
      status: 403,
      json: { message: 'Enter your password to continue.', code: 'proof_required', inputError: 'password' },
    })
  })
  await openAs(page, owner, '/account/sso')
  await page.getByRole('combobox', { name: 'Permission of new users' }).selectOption('Developer')
  await page.getByRole('dialog').getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('combobox', { name: 'Permission of new users' })).toHaveValue('developer')
  let mail = await waitForMail(owner.email, owner.lastMail)
  while (!mail.text.includes('now get this permission')) mail = await waitForMail(owner.email, mail.id)
  expect(mail.subject).toContain('Single sign-on of')
})

test('[route:/login/saml] [route:/login/saml/callback] [screen:login.sso-button] [screen:saml.spinner] [text:sso] [call:GET /auth/saml] [call:POST /auth/saml/callback] a new person cancels, tries again and signs in; also by the account’s link', async ({
  page,
  openOtherBrowser,
}) => {
  const { domain } = await createCompanyWithSso()
  const address = `ida.${Date.now()}@${domain}`
  await openProviderPage(page, address)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toContainText('refused it, or you cancelled there')
  await expectAccessible(page, 'cancelled at the provider')
  await button(page, 'Try again').click()
  await signInAtIdentityProvider(page, { email: address })
  await expectPath(page, '/welcome')
  await expect(heading(page, 'Welcome, Ida')).toBeVisible()
  expect(page.url()).not.toContain('token')

  const again = await openOtherBrowser()
  await again.goto(`/login/saml?domain=${domain}`)
  await expectAccessible(again, 'the account’s own link')
  await button(again, `Continue to ${domain}`).click()
  await signInAtIdentityProvider(again, { email: address })
  await expectPath(again, '/welcome')
})

test('[T-22] when required, a password leads to single sign-on with the reason, except the chosen owner’s', async ({
  page,
  openOtherBrowser,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(403)
  const company = await createCompanyWithSso()
  const { owner, domain } = company
  const address = `ida.${Date.now()}@${domain}`
  await openProviderPage(page, address)
  await signInAtIdentityProvider(page, { email: address })
  await expectPath(page, '/welcome')
  const member = await setPassword(page, address)
  await enforceSso(owner)

  const second = await openOtherBrowser()
  await signIn(second, member)
  await expectPath(second, '/login/saml')
  await expect(toast(second, 'This account requires single sign-on. Sign in with SSO.')).toBeVisible()
  await field(second, 'Work email').fill(address)
  await button(second, 'Continue').click()
  await signInAtIdentityProvider(second, { email: address })
  await expectPath(second, '/welcome')

  const third = await openOtherBrowser()
  await signIn(third, owner)
  await expectPath(third, '/dashboard')
})

test('[T-05] [T-51] a callback opened in another browser does not sign in and does not use the token up', async ({
  page,
  openOtherBrowser,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422)
  const { domain } = await createCompanyWithSso()
  const address = `ida.${Date.now()}@${domain}`
  let back = ''
  page.on('request', request => {
    if (request.isNavigationRequest() && request.url().includes('token=')) back = request.url()
  })
  // Block the token request of the page, as if another person had seen the address first.
  consoleGuard.allowMessage(/ERR_FAILED|NoAnswer|did not answer/)
  await page.route('**/auth/saml/callback', route =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await openProviderPage(page, address)
  await signInAtIdentityProvider(page, { email: address })
  await expect(page.getByText('Something Went Wrong. Please try signing in again.')).toBeVisible()
  expect(back).toContain('token=')
  const other = await openOtherBrowser()
  await other.goto(back)
  await expect(other.getByText('This sign-in could not be completed. Please start again.')).toBeVisible()
  await page.unroute('**/auth/saml/callback')
  await page.goto(back)
  await expectPath(page, '/welcome')
})

test('[T-75] a link from a foreign site opens our screen and starts no sign-in', async ({ page }) => {
  const { domain } = await createCompanyWithSso()
  await page.goto(`${sandboxUrl}/`)
  await page.evaluate(to => window.location.assign(to), `${appUrl}/auth/saml?domain=${domain}`)
  await expect(button(page, `Continue to ${domain}`)).toBeVisible()
  await expect(page).toHaveURL(/\/login\/saml$/)
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('[feature:sso] [feature:translated] single sign-on is set up', async ({ page }) => {
    const { owner } = await createCompanyWithSso()
    await callApi('PATCH', '/api/user', { token: owner.user.token, body: { locale: 'de' } })
    await openAs(page, { ...owner, user: { ...owner.user, locale: 'de' } }, '/account/sso')
    await expect(page.getByText('Single Sign-on ist an', { exact: true })).toBeVisible()
    await expectAccessible(page, '/account/sso')
    await expectNoSidewaysScroll(page)
  })
})

const storedToken = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('plinth.session') ?? '{}').token)

/** Sets a password for a member created by single sign-on, in the session of that sign-in. */
async function setPassword(page: Page, email: string): Promise<{ email: string; password: string }> {
  const token = await storedToken(page)
  const answer = await callApi('PUT', '/api/user/password', { token, body: { newpassword: password } })
  if (answer.status !== 200) throw new Error(answer.message)
  return { email, password }
}
