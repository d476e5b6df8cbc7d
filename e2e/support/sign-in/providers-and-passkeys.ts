import type { Page } from '@playwright/test'
import { callApi } from '../api.ts'
import { openAs } from '../browser/session.ts'
import { addVirtualAuthenticator, disablePasskeyAutofill } from '../browser/virtual-authenticator.ts'
import { waitForLink, waitForSubject } from '../mail.ts'
import { button, field, heading } from '../pages/elements.ts'
import { expectFitsAndAccessible, expectPath } from '../pages/expectations.ts'
import { expectDefaultAccount } from '../pages/sign-in.ts'
import { providerLink, signInAtProvider } from '../pages/social-provider.ts'
import { enableTwoFactor, typeCode } from '../people/authenticator-app.ts'
import {
  createOnboardedPerson,
  createPersonInTwoAccounts,
  createUnverifiedPerson,
  createVerifiedPerson,
  newEmail,
  type Person,
} from '../people/people.ts'
import { createCompanyWithSso, signInAtIdentityProvider } from '../people/sso-company.ts'
import { expect, test } from '../test.ts'
import { refusalText } from '../texts.ts'
import { otherAccountsInMenu } from './account-switch.ts'
import { expectPlanScreen } from './password-and-links.ts'
import type { Visitor } from './visitor.ts'

/** The address with a token to which the provider redirects the browser. */
function waitForCallback(page: Page, path: string): Promise<string> {
  return page
    .waitForRequest(request => {
      const { pathname, searchParams } = new URL(request.url())
      return request.isNavigationRequest() && pathname === path && searchParams.has('token')
    })
    .then(request => request.url())
}

/** Expects that the password of the unverified sign-up no longer works. */
async function expectClaimRemoved(page: Page, visitor: Visitor, claimant: Person): Promise<void> {
  await visitor.clearBrowser()
  await visitor.signIn(claimant)
  await expect(page.getByText(refusalText(visitor.language, 'credentials_wrong')).first()).toBeVisible()
  await expectFitsAndAccessible(page, 'sign-in with the removed password')
  await visitor.clearBrowser()
}

export async function signInBySocialProvider(page: Page, visitor: Visitor): Promise<void> {
  const { t, language, personOptions } = visitor
  const signInFrom = async (who: { email: string; verified?: boolean }, from = '/login') => {
    await page.goto(from)
    await providerLink(page).click()
    await signInAtProvider(page, who)
  }
  const refused = async (code: string) => {
    await visitor.expectMessage(t('social.failed'), refusalText(language, code))
    await visitor.expectSignedOut()
  }
  await test.step('an address that the provider has not verified', async () => {
    await signInFrom({ email: (await createOnboardedPerson(personOptions)).email, verified: false })
    await refused('social_email_unverified')
    await visitor.link(t('social.back')).click()
    await expectPath(page, '/login')
  })
  await test.step('a provider that is not connected to a user with a second factor', async () => {
    const { email } = await enableTwoFactor(await createOnboardedPerson(personOptions))
    await signInFrom({ email })
    await refused('social_connect_first')
  })
  await test.step('a person in several accounts, then with a second factor', async () => {
    const person = await createPersonInTwoAccounts({ language })
    await signInFrom(person, '/signup')
    await expectDefaultAccount(page, '/dashboard', t('account.nav.your_menu'))
    // Enabling the second factor ends this session: leave the page before it sends another request.
    await visitor.clearBrowser()
    const { app } = await enableTwoFactor(person)
    await signInFrom(person)
    await expectPath(page, '/login/otp')
    await visitor.expectMessage(t('two_factor.otp.title'), t('two_factor.otp.text'))
    await visitor.expectSignedOut()
    await typeCode(page, app.nextCode(), t('two_factor.otp.code'))
    await expectPath(page, '/dashboard')
    await visitor.clearBrowser()
  })
  await test.step('an address with an unverified sign-up; the callback opened again', async () => {
    const claimant = await createUnverifiedPerson(personOptions)
    const link = waitForCallback(page, '/login/social')
    await signInFrom(claimant)
    await expectPlanScreen(page, visitor)
    await page.evaluate(() => localStorage.clear())
    await page.goto(await link)
    await refused('link_expired')
    await expectPath(page, /^\/login\/social\?provider=google$/)
    await expectClaimRemoved(page, visitor, claimant)
  })
}

export async function signInBySso(page: Page, visitor: Visitor): Promise<void> {
  const { t, language, personOptions } = visitor
  const { domain } = await createCompanyWithSso()
  const email = `ida@${domain}`
  const signInAs = async (person: { email: string }) => {
    await page.goto('/login')
    await visitor.link(t('auth.sign_in.sso')).click()
    await field(page, t('sso.start.email')).fill(email)
    await button(page, t('sso.start.go')).click()
    await signInAtIdentityProvider(page, person)
  }
  const refused = async (code: string) => {
    await visitor.expectMessage(t('sso.callback.failed'), refusalText(language, code))
    await visitor.expectSignedOut()
  }
  await test.step('unknown domain, foreign domain, not a member, no token', async () => {
    await page.goto('/login/saml')
    await visitor.expectMessage(t('sso.start.title'))
    await field(page, t('sso.start.email')).fill(newEmail().replace('@', '@nobody.'))
    await button(page, t('sso.start.go')).click()
    await visitor.expectMessage(t('sso.start.unknown'), t('sso.start.unknown_text'))
    await expect(page).toHaveURL(/\/login\/saml$/)
    await signInAs({ email: 'ida@elsewhere.example' })
    await refused('sso_domain_unproven')
    await visitor.link(t('sso.callback.back')).click()
    await expectPath(page, '/login')
    await signInAs(await createOnboardedPerson({ ...personOptions, email: `olga@${domain}` }))
    await refused('sso_not_member')
    await page.goto('/login/saml/callback?saml_callback=1')
    await visitor.expectMessage(t('sso.callback.failed'))
  })
  const claimant = await createUnverifiedPerson({ ...personOptions, email })
  const { mail: claimed } = await waitForLink(email)
  const user =
    await test.step('an address with an unverified sign-up; the callback opened again', async () => {
      const link = waitForCallback(page, '/login/saml/callback')
      await signInAs({ email })
      await expect(heading(page, t('onboarding.welcome.title', { name: 'Ida' }))).toBeVisible()
      await expectFitsAndAccessible(page, 'signed in by single sign-on')
      const stored = await page.evaluate(() => localStorage.getItem('plinth.session'))
      await page.goto(await link)
      await visitor.expectMessage(t('auth.present.title'), t('sso.callback.present', { name: 'Ida Ek' }))
      await button(page, t('sso.callback.replace')).click()
      await visitor.expectMessage(t('sso.callback.failed'), refusalText(language, 'sso_failed'))
      await expectClaimRemoved(page, visitor, claimant)
      return JSON.parse(stored ?? '{}') as Person['user'] // as: the browser stores the whole reply
    })
  await test.step('a person with a second factor in several accounts: single sign-on opens only its own', async () => {
    const { app } = await enableTwoFactor({ email, password: '', lastMail: '0', user })
    const again = await createUnverifiedPerson({ ...personOptions, email })
    const { token } = await waitForLink(email, claimed.id, '/signup/verify')
    await callApi('POST', '/api/user/verify', { token: again.user.token, body: { token } })
    await signInAs({ email })
    await expectPath(page, '/login/otp')
    await visitor.expectMessage(t('two_factor.otp.title'), t('two_factor.otp.text'))
    await visitor.expectSignedOut()
    await typeCode(page, app.nextCode(), t('two_factor.otp.code'))
    await expectPath(page, '/welcome')
    await page.goto('/account')
    await (await otherAccountsInMenu(page, visitor)).click()
    await visitor.expectToast(refusalText(language, 'sso_alone'))
    await expectPath(page, '/account')
    await visitor.clearBrowser()
  })
}

export async function signInByPasskey(page: Page, visitor: Visitor): Promise<void> {
  const { t, language, personOptions } = visitor
  await disablePasskeyAutofill(page)
  const device = await addVirtualAuthenticator(page)
  const section = page.getByRole('region', { name: t('account.passkeys.title') })
  const passkeyButton = button(page, t('auth.sign_in.passkey'))
  const name = 'Blue 1'
  const add = async () => {
    await section.getByRole('button', { name: t('account.passkeys.add') }).click()
    const dialog = page.getByRole('dialog', { name: t('account.passkeys.new_title') })
    await dialog.getByLabel(t('account.passkeys.name')).fill(name)
    await dialog.getByRole('button', { name: t('account.passkeys.save') }).click()
    await expect(section.getByText(name, { exact: true })).toBeVisible()
  }
  const signOutAndIn = async () => {
    await visitor.clearBrowser()
    await page.goto('/login')
    await passkeyButton.click()
  }
  await test.step('an unverified person cannot add a passkey', async () => {
    await openAs(page, await createUnverifiedPerson(personOptions), '/account/profile')
    await expect(field(page, t('account.profile.first_name'))).toBeVisible()
    await expect(section).toHaveCount(0)
    await expectFitsAndAccessible(page, 'the profile of an unverified person')
  })
  await test.step('a person without a plan', async () => {
    await openAs(page, await createVerifiedPerson(personOptions), '/account/profile')
    await add()
    await signOutAndIn()
    await expectPlanScreen(page, visitor)
    await device.clearPasskeys()
  })
  await test.step('a person in several accounts; the passkey is also the second factor', async () => {
    const person = await enableTwoFactor(await createPersonInTwoAccounts({ language }))
    await openAs(page, person, '/account/profile')
    await visitor.expectMessage(t('account.passkeys.none'))
    await add()
    await expect(section).toContainText(t('account.passkeys.unused'))
    expect(await device.countPasskeys()).toBe(1)
    await waitForSubject(person.email, /passkey/i, person.lastMail)
    await expectFitsAndAccessible(page, 'a profile with a passkey')
    // Without user verification the passkey is not a second factor, so the sign-in fails.
    await device.setUserVerified(false)
    await signOutAndIn()
    await expect(passkeyButton).not.toHaveAttribute('aria-busy')
    await expectPath(page, '/login')
    await visitor.expectSignedOut()
    await expectFitsAndAccessible(page, 'a passkey without user verification')
    await device.setUserVerified(true)
    await passkeyButton.click()
    await expectDefaultAccount(page, '/dashboard', t('account.nav.your_menu'))
  })
  await test.step('a removed passkey', async () => {
    await page.goto('/account/profile')
    await expect(section.getByText(name, { exact: true })).toBeVisible()
    await expect(section).not.toContainText(t('account.passkeys.unused'))
    await section.getByRole('button', { name: t('account.passkeys.remove_of', { name }) }).click()
    const question = page.getByRole('alertdialog', { name: t('account.passkeys.remove_title', { name }) })
    await expectFitsAndAccessible(page, 'the dialog that confirms the removal')
    await question.getByRole('button', { name: t('account.passkeys.remove') }).click()
    await visitor.expectToast(t('account.passkeys.removed', { name }))
    await expect(section.getByText(t('account.passkeys.none'))).toBeVisible()
    await signOutAndIn()
    await visitor.expectToast(refusalText(language, 'passkey_unknown'))
    await expectPath(page, '/login')
    await visitor.expectSignedOut()
  })
}
