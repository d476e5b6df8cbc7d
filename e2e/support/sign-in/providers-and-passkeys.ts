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

/** The secret of a way back from a provider, in the address that the browser is sent to. */
function waitForCallback(page: Page, path: string): Promise<string> {
  return page
    .waitForRequest(request => {
      const { pathname, searchParams } = new URL(request.url())
      return request.isNavigationRequest() && pathname === path && searchParams.has('token')
    })
    .then(request => request.url())
}

/** Somebody claimed the address here and never proved it: with who has it, nothing of that is left. */
async function expectClaimRemoved(page: Page, visitor: Visitor, claimant: Person): Promise<void> {
  await visitor.clearBrowser()
  await visitor.signIn(claimant)
  await expect(page.getByText(refusalText(visitor.language, 'credentials_wrong')).first()).toBeVisible()
  await expectFitsAndAccessible(page, 'a claim that is gone')
  await visitor.clearBrowser()
}

export async function signInBySocialProvider(page: Page, visitor: Visitor): Promise<void> {
  const { t, language, personOptions } = visitor
  const come = async (who: { email: string; verified?: boolean }, from = '/login') => {
    await page.goto(from)
    await providerLink(page).click()
    await signInAtProvider(page, who)
  }
  const refused = async (code: string) => {
    await visitor.expectMessage(t('social.failed'), refusalText(language, code))
    await visitor.expectSignedOut()
  }
  await test.step('an address that the provider has not verified', async () => {
    await come({ email: (await createOnboardedPerson(personOptions)).email, verified: false })
    await refused('social_email_unverified')
    await visitor.link(t('social.back')).click()
    await expectPath(page, '/login')
  })
  await test.step('unknown here, where a second factor guards the address', async () => {
    const { email } = await enableTwoFactor(await createOnboardedPerson(personOptions))
    await come({ email })
    await refused('social_connect_first')
  })
  await test.step('in several accounts, then with a second factor', async () => {
    const person = await createPersonInTwoAccounts({ language })
    await come(person, '/signup')
    await expectDefaultAccount(page, '/dashboard', t('account.nav.your_menu'))
    // Its session ends with the change, and what it would ask by then with it.
    await visitor.clearBrowser()
    const { app } = await enableTwoFactor(person)
    await come(person)
    await expectPath(page, '/login/otp')
    await visitor.expectMessage(t('two_factor.otp.title'), t('two_factor.otp.text'))
    await visitor.expectSignedOut()
    await typeCode(page, app.nextCode(), t('two_factor.otp.code'))
    await expectPath(page, '/dashboard')
    await visitor.clearBrowser()
  })
  await test.step('claimed by somebody else, without a plan, and the way back once more', async () => {
    const claimant = await createUnverifiedPerson(personOptions)
    const link = waitForCallback(page, '/login/social')
    await come(claimant)
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
  const comeAs = async (person: { email: string }) => {
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
  await test.step('unknown, of another domain, from outside, and without a token', async () => {
    await page.goto('/login/saml')
    await visitor.expectMessage(t('sso.start.title'))
    await field(page, t('sso.start.email')).fill(newEmail().replace('@', '@nobody.'))
    await button(page, t('sso.start.go')).click()
    await visitor.expectMessage(t('sso.start.unknown'), t('sso.start.unknown_text'))
    await expect(page).toHaveURL(/\/login\/saml$/)
    await comeAs({ email: 'ida@elsewhere.example' })
    await refused('sso_domain_unproven')
    await visitor.link(t('sso.callback.back')).click()
    await expectPath(page, '/login')
    await comeAs(await createOnboardedPerson({ ...personOptions, email: `olga@${domain}` }))
    await refused('sso_not_member')
    await page.goto('/login/saml/callback?saml_callback=1')
    await visitor.expectMessage(t('sso.callback.failed'))
  })
  const claimant = await createUnverifiedPerson({ ...personOptions, email })
  const { mail: claimed } = await waitForLink(email)
  const user = await test.step('claimed by somebody else, and the way back once more', async () => {
    const link = waitForCallback(page, '/login/saml/callback')
    await comeAs({ email })
    await expect(heading(page, t('onboarding.welcome.title', { name: 'Ida' }))).toBeVisible()
    await expectFitsAndAccessible(page, 'in by single sign-on')
    const kept = await page.evaluate(() => localStorage.getItem('plinth.session'))
    await page.goto(await link)
    await visitor.expectMessage(t('auth.present.title'), t('sso.callback.present', { name: 'Ida Ek' }))
    await button(page, t('sso.callback.replace')).click()
    await visitor.expectMessage(t('sso.callback.failed'), refusalText(language, 'sso_failed'))
    await expectClaimRemoved(page, visitor, claimant)
    return JSON.parse(kept ?? '{}') as Person['user'] // as: the browser keeps the whole answer
  })
  await test.step('with a second factor, in several accounts, of which it opens this one alone', async () => {
    const { app } = await enableTwoFactor({ email, password: '', lastMail: '0', user })
    const again = await createUnverifiedPerson({ ...personOptions, email })
    const { token } = await waitForLink(email, claimed.id, '/signup/verify')
    await callApi('POST', '/api/user/verify', { token: again.user.token, body: { token } })
    await comeAs({ email })
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
  const door = button(page, t('auth.sign_in.passkey'))
  const name = 'Blue 1'
  const add = async () => {
    await section.getByRole('button', { name: t('account.passkeys.add') }).click()
    const dialog = page.getByRole('dialog', { name: t('account.passkeys.new_title') })
    await dialog.getByLabel(t('account.passkeys.name')).fill(name)
    await dialog.getByRole('button', { name: t('account.passkeys.save') }).click()
    await expect(section.getByText(name, { exact: true })).toBeVisible()
  }
  const outAndIn = async () => {
    await visitor.clearBrowser()
    await page.goto('/login')
    await door.click()
  }
  await test.step('nobody adds one before the address is confirmed', async () => {
    await openAs(page, await createUnverifiedPerson(personOptions), '/account/profile')
    await expect(field(page, t('account.profile.first_name'))).toBeVisible()
    await expect(section).toHaveCount(0)
    await expectFitsAndAccessible(page, 'a profile before the address is confirmed')
  })
  await test.step('without a plan', async () => {
    await openAs(page, await createVerifiedPerson(personOptions), '/account/profile')
    await add()
    await outAndIn()
    await expectPlanScreen(page, visitor)
    await device.clearPasskeys()
  })
  await test.step('in several accounts, with a second factor that it is itself', async () => {
    const person = await enableTwoFactor(await createPersonInTwoAccounts({ language }))
    await openAs(page, person, '/account/profile')
    await visitor.expectMessage(t('account.passkeys.none'))
    await add()
    await expect(section).toContainText(t('account.passkeys.unused'))
    expect(await device.countPasskeys()).toBe(1)
    await waitForSubject(person.email, /passkey/i, person.lastMail)
    await expectFitsAndAccessible(page, 'a profile with a passkey')
    // It verifies nobody, so it is no second factor: it gets nowhere.
    await device.setUserVerified(false)
    await outAndIn()
    await expect(door).not.toHaveAttribute('aria-busy')
    await expectPath(page, '/login')
    await visitor.expectSignedOut()
    await expectFitsAndAccessible(page, 'a passkey that verified nobody')
    await device.setUserVerified(true)
    await door.click()
    await expectDefaultAccount(page, '/dashboard', t('account.nav.your_menu'))
  })
  await test.step('removed', async () => {
    await page.goto('/account/profile')
    await expect(section.getByText(name, { exact: true })).toBeVisible()
    await expect(section).not.toContainText(t('account.passkeys.unused'))
    await section.getByRole('button', { name: t('account.passkeys.remove_of', { name }) }).click()
    const question = page.getByRole('alertdialog', { name: t('account.passkeys.remove_title', { name }) })
    await expectFitsAndAccessible(page, 'the question before it is removed')
    await question.getByRole('button', { name: t('account.passkeys.remove') }).click()
    await visitor.expectToast(t('account.passkeys.removed', { name }))
    await expect(section.getByText(t('account.passkeys.none'))).toBeVisible()
    await outAndIn()
    await visitor.expectToast(refusalText(language, 'passkey_unknown'))
    await expectPath(page, '/login')
    await visitor.expectSignedOut()
  })
}
