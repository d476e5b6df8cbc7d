import type { Page } from '@playwright/test'
import { callApi } from '../api.ts'
import { waitForLink } from '../mail.ts'
import { button, field, heading, passwordField } from '../pages/elements.ts'
import { expectFitsAndAccessible, expectPath } from '../pages/expectations.ts'
import { expectDefaultAccount } from '../pages/sign-in.ts'
import { enableTwoFactor, typeCode } from '../people/authenticator-app.ts'
import {
  createOnboardedPerson,
  createPersonInTwoAccounts,
  createPersonWithPlan,
  createUnverifiedPerson,
  createVerifiedPerson,
  type Person,
  signInByApi,
} from '../people/people.ts'
import { expect, test } from '../test.ts'
import { matchOneOf, refusalText, serverText } from '../texts.ts'
import { requestLink, type Visitor } from './visitor.ts'

const newPassword = 'tall-blue-harbour-42'

export async function expectScreen(page: Page, path: string, title: string): Promise<void> {
  await expectPath(page, path)
  await expect(heading(page, title)).toBeVisible()
  await expectFitsAndAccessible(page, title)
}

export const expectPlanScreen = (page: Page, { t }: Visitor) =>
  expectScreen(page, '/signup/plan', t('billing.plan.title'))

/** Expects no session before the code, then types it. */
export async function passSecondFactor(
  page: Page,
  visitor: Visitor,
  person: PersonWithTwoFactor,
): Promise<void> {
  const { t } = visitor
  await expectPath(page, '/login/otp')
  await visitor.expectMessage(t('two_factor.otp.as', { email: person.email }))
  await visitor.expectSignedOut()
  await typeCode(page, person.app.nextCode(), t('two_factor.otp.code'))
}
type PersonWithTwoFactor = Awaited<ReturnType<typeof enableTwoFactor>>

/** Signs in each kind of person: the next screen depends on the person, not on the sign-in method. */
async function signInEachPerson(
  page: Page,
  visitor: Visitor,
  signInAs: (person: Person) => Promise<void>,
): Promise<void> {
  const { t, personOptions } = visitor
  await test.step('a person with a second factor', async () => {
    const person = await enableTwoFactor(await createOnboardedPerson(personOptions))
    await signInAs(person)
    await passSecondFactor(page, visitor, person)
    await expectPath(page, '/dashboard')
    await visitor.clearBrowser()
  })
  await test.step('a person without a plan', async () => {
    await signInAs(await createVerifiedPerson(personOptions))
    await expectPlanScreen(page, visitor)
    await visitor.clearBrowser()
  })
  await test.step('a person in several accounts', async () => {
    await signInAs(await createPersonInTwoAccounts(personOptions))
    await expectScreen(page, '/dashboard', t('dashboard.title'))
    await expectDefaultAccount(page, '/dashboard', t('account.nav.your_menu'))
    await visitor.clearBrowser()
  })
}

/** Requests a second link. @returns it and the invalid ones: the replaced one, one with a made-up token, and none */
async function requestSecondLink(
  visitor: Visitor,
  { email, lastMail }: Person,
  path: string,
  screen: string,
) {
  const old = await waitForLink(email, lastMail, screen)
  await requestLink(visitor, path, email)
  const { url } = await waitForLink(email, old.mail.id, screen)
  return { url, mail: old.mail, invalid: [old.url, `${screen}?token=made-up`, screen] }
}

export async function signInByMagicLink(page: Page, visitor: Visitor): Promise<void> {
  const { t, personOptions, language } = visitor
  await test.step('request a link; invalid links; use it; use it again', async () => {
    const person = await createOnboardedPerson(personOptions)
    await page.goto('/login')
    await field(page, t('auth.email')).fill(person.email)
    await button(page, t('auth.sign_in.magic')).click()
    await expect(field(page, t('auth.email'))).toHaveValue(person.email)
    await button(page, t('auth.sign_in.magic_button')).click()
    await visitor.expectMessage(t('auth.verify.inbox'))
    await expect(button(page, matchOneOf(t('auth.link.again_in')))).toBeDisabled()
    await expect(visitor.link(t('auth.verify.open_inbox'))).toBeVisible()

    const { url, mail, invalid } = await requestSecondLink(visitor, person, '/api/auth/magic', '/magic')
    expect(mail.subject).toBe({ en: 'Your sign-in link', de: 'Ihr Anmeldelink' }[language])
    await expectInvalidLinks(page, visitor, invalid, t('auth.magic.invalid'))
    await page.goto(url)
    await visitor.expectMessage(t('auth.magic.as', { email: person.email }))
    await expect(page).toHaveURL(/\/magic$/)
    await button(page, t('auth.magic.button')).click()
    await expectPath(page, '/dashboard')

    await visitor.clearBrowser()
    await page.goto(url)
    await visitor.expectMessage(t('auth.magic.invalid'), t('auth.link.dead'))
    await visitor.link(t('auth.link.to_sign_in')).click()
    await expectPath(page, '/login')
  })
  const signInAs = async ({ email, lastMail }: Person) => {
    await requestLink(visitor, '/api/auth/magic', email)
    await page.goto((await waitForLink(email, lastMail, '/magic')).url)
    await button(page, t('auth.magic.button')).click()
  }
  await signInEachPerson(page, visitor, signInAs)
  await test.step('a person who has not finished the onboarding', async () => {
    await signInAs(await createPersonWithPlan(personOptions))
    await expectScreen(page, '/welcome', t('onboarding.welcome.title', { name: 'Mara' }))
    await visitor.clearBrowser()
  })
  await test.step('an unverified person', async () => {
    const person = await createUnverifiedPerson(personOptions)
    await signInAs(person)
    await expectPath(page, '/signup/plan')
    await visitor.expectToast(serverText(language, 'auth.password_dropped'))
    const { email, password } = person
    expect((await callApi('POST', '/api/auth', { body: { email, password } })).status).toBe(422)
  })
}

/** Expects the message for each link; checks layout and accessibility of the last. */
async function expectInvalidLinks(
  page: Page,
  { t, expectMessage }: Visitor,
  links: string[],
  title: string,
): Promise<void> {
  for (const link of links) {
    await page.goto(link)
    await expect(page.getByRole('alert')).toContainText(title)
  }
  await expectMessage(title, t('auth.link.dead'))
}

export async function signInByReset(page: Page, visitor: Visitor): Promise<void> {
  const { t, personOptions, language } = visitor
  const path = '/api/auth/password/reset/request'
  const choose = async (value: string) => {
    await passwordField(page, t('auth.reset.password')).fill(value)
    await passwordField(page, t('auth.confirm_password')).fill(value)
    await button(page, t('auth.reset.button')).click()
  }
  await test.step('request a link; invalid links; refused password; use it; use it again', async () => {
    const person = await createOnboardedPerson(personOptions)
    await page.goto('/login')
    await visitor.link(t('auth.sign_in.forgot')).click()
    await expectScreen(page, '/forgotpassword', t('auth.forgot.title'))
    // On a touch screen the focus stays on the heading: a field would open the keyboard over the page.
    const focused = language === 'en' ? field(page, t('auth.email')) : heading(page, t('auth.forgot.title'))
    await expect(focused).toBeFocused()
    await field(page, t('auth.email')).fill(person.email)
    await button(page, t('auth.forgot.button')).click()
    await visitor.expectMessage(t('auth.verify.inbox'))

    const { url, mail, invalid } = await requestSecondLink(visitor, person, path, '/resetpassword')
    expect(mail.subject).toBe({ en: 'Choose a new password', de: 'Neues Passwort festlegen' }[language])
    await expectInvalidLinks(page, visitor, invalid, t('auth.reset.expired'))
    await page.goto(url)
    await expect(field(page, t('auth.email'))).toHaveValue(person.email)
    await expect(page).toHaveURL(/\/resetpassword$/)
    await choose('Password1!')
    await visitor.expectMessage(refusalText(language, 'password_common'))
    await choose(newPassword)
    await visitor.expectToast(serverText(language, 'auth.password_reset'))
    await expectPath(page, '/dashboard')

    await visitor.clearBrowser()
    await page.goto(url)
    await visitor.expectMessage(t('auth.reset.expired'), t('auth.link.dead'))
    await visitor.link(t('auth.reset.again')).click()
    await expectPath(page, '/forgotpassword')
  })
  const signInAs = async ({ email, lastMail }: Person) => {
    await requestLink(visitor, path, email)
    await page.goto((await waitForLink(email, lastMail, '/resetpassword')).url)
    await choose(newPassword)
  }
  await signInEachPerson(page, visitor, signInAs)
  await test.step('an unverified person', async () => {
    const person = await createUnverifiedPerson(personOptions)
    await signInAs(person)
    await expectPlanScreen(page, visitor)
    expect((await signInByApi(person.email, newPassword)).user.verified).toBe(true)
  })
}

export async function signInByPassword(page: Page, visitor: Visitor): Promise<void> {
  const { t, personOptions, language } = visitor
  await test.step('no password, a wrong one, the right one', async () => {
    const person = await createOnboardedPerson(personOptions)
    const passwordInput = passwordField(page, t('auth.password'))
    await page.goto('/login')
    await button(page, t('auth.sign_in.button')).click()
    await visitor.expectMessage(t('global.form.error.required', { label: t('auth.email') }))
    await field(page, t('auth.email')).fill(person.email)
    await passwordInput.fill('limestone-2!')
    await button(page, t('auth.sign_in.button')).click()
    await visitor.expectMessage(refusalText(language, 'credentials_wrong'))
    await expect(passwordInput).toHaveAccessibleDescription(refusalText(language, 'credentials_wrong'))
    await expect(passwordInput).toBeFocused()
    await expect(field(page, t('auth.email'))).toHaveValue(person.email)
    await passwordInput.fill(person.password)
    await page.keyboard.press('Enter')
    await expectPath(page, '/dashboard')
    await visitor.clearBrowser()
  })
  await signInEachPerson(page, visitor, visitor.signIn)
  await test.step('an unverified person', async () => {
    await visitor.signIn(await createUnverifiedPerson(personOptions))
    await expectPath(page, '/signup/verify')
    await visitor.expectMessage(t('auth.verify.inbox'))
  })
}
