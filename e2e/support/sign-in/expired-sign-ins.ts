import type { Page } from '@playwright/test'
import { openAs } from '../browser/session.ts'
import { addVirtualAuthenticator, disablePasskeyAutofill } from '../browser/virtual-authenticator.ts'
import { button } from '../pages/elements.ts'
import { expectPath } from '../pages/expectations.ts'
import { providerLink, signInAtProvider } from '../pages/social-provider.ts'
import { createAuthenticatorApp, enableTwoFactor, typeCode } from '../people/authenticator-app.ts'
import { newEmail, type Person } from '../people/people.ts'
import { createCompanyWithSso, signInAtIdentityProvider } from '../people/sso-company.ts'
import { ms } from '../server/server-clock.ts'
import { expect } from '../test.ts'
import { refusalText } from '../texts.ts'
import type { Visitor } from './visitor.ts'

export async function expiredSecondStep(page: Page, visitor: Visitor, person: Person) {
  const { t, language } = visitor
  await openAs(page, person, '/account/2fa')
  await page.getByRole('switch', { name: t('two_factor.switch') }).click()
  const key = page.locator('code').first()
  const codes = createAuthenticatorApp((await key.innerText()).replaceAll(' ', ''))
  await visitor.withClockAhead(60 * ms.minutes, async () => {
    await typeCode(page, codes.nextCode(), t('two_factor.enter'))
    await visitor.expectToast(refusalText(language, 'two_factor_not_begun'))
    await expect(page.getByText(t('two_factor.is_off'))).toBeVisible()
  })
  await visitor.clearBrowser()

  const personWithTwoFactor = await enableTwoFactor(person)
  await visitor.signIn(personWithTwoFactor)
  await expectPath(page, '/login/otp')
  await visitor.withClockAhead(10 * ms.minutes, async () => {
    await typeCode(page, personWithTwoFactor.app.nextCode(), t('two_factor.otp.code'))
    await visitor.expectToast(refusalText(language, 'challenge_expired'))
    await expectPath(page, '/login')
    await visitor.expectSignedOut()
  })
  await visitor.signIn(personWithTwoFactor)
  await expectPath(page, '/login/otp')
  await visitor.clearBrowser()
}

export async function expiredSocialSignIn(page: Page, visitor: Visitor) {
  const { t, language } = visitor
  const email = newEmail()
  await page.goto('/login')
  await providerLink(page).click()
  await visitor.withClockAhead(10 * ms.minutes, async () => {
    await signInAtProvider(page, { email })
    await visitor.expectToast(t('auth.sign_in.error.social_expired'))
    await expectPath(page, '/login')
    await visitor.expectSignedOut()
  })
  await visitor.withDelayedRequest('/api/auth', 2 * ms.minutes, async () => {
    await page.goto('/login')
    await providerLink(page).click()
    await signInAtProvider(page, { email })
    await visitor.expectMessage(t('social.failed'), refusalText(language, 'link_expired'))
  })
  await visitor.expectSignedOut()
  await visitor.link(t('social.back')).click()
  await providerLink(page).click()
  await signInAtProvider(page, { email })
  await visitor.expectPlanPage()
  await visitor.clearBrowser()
}

export async function expiredSingleSignOn(page: Page, visitor: Visitor) {
  const { t, language } = visitor
  const { domain } = await createCompanyWithSso({}, visitor.serverUrl)
  const email = `ida@${domain}`
  const startSignIn = async () => {
    await page.goto(`/login/saml?domain=${domain}`)
    await button(page, t('sso.start.go_to', { domain })).click()
    await page.waitForURL(/\/identity\/saml\//)
  }
  await startSignIn()
  await visitor.withClockAhead(10 * ms.minutes, async () => {
    await signInAtIdentityProvider(page, { email })
    await visitor.expectMessage(t('sso.start.begin_text'))
    await visitor.expectSignedOut()
  })
  await visitor.link(t('sso.start.back')).click()
  await expectPath(page, '/login')
  await visitor.withDelayedRequest('/auth/saml/callback', 2 * ms.minutes, async () => {
    await startSignIn()
    await signInAtIdentityProvider(page, { email })
    await visitor.expectMessage(t('sso.callback.failed'), refusalText(language, 'sso_failed'))
  })
  await visitor.expectSignedOut()
  await startSignIn()
  await signInAtIdentityProvider(page, { email })
  await expectPath(page, '/welcome')
  await visitor.clearBrowser()
}

export async function expiredPasskey(page: Page, visitor: Visitor, person: Person) {
  const { t, language } = visitor
  await disablePasskeyAutofill(page)
  const device = await addVirtualAuthenticator(page)
  await openAs(page, person, '/account/profile')
  const section = page.getByRole('region', { name: t('account.passkeys.title') })
  const add = section.getByRole('button', { name: t('account.passkeys.add') })
  await visitor.withDelayedRequest('/api/user/passkeys', 5 * ms.minutes, async () => {
    await add.click()
    await visitor.expectToast(refusalText(language, 'passkey_expired'))
    await expect(section.getByText(t('account.passkeys.none'))).toBeVisible()
  })
  await device.clearPasskeys()
  await add.click()
  const nameDialog = page.getByRole('dialog', { name: t('account.passkeys.new_title') })
  await nameDialog.getByRole('button', { name: t('account.passkeys.save') }).click()
  await expect(nameDialog).toBeHidden()
  await visitor.clearBrowser()

  await page.goto('/login')
  await visitor.withDelayedRequest('/api/auth/passkey', 5 * ms.minutes, async () => {
    await button(page, t('auth.sign_in.passkey')).click()
    await visitor.expectToast(refusalText(language, 'passkey_expired'))
    await expectPath(page, '/login')
    await visitor.expectSignedOut()
  })
  await button(page, t('auth.sign_in.passkey')).click()
  await expectPath(page, '/dashboard')
}
