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

/** They are in, on this screen, which fits; axe has nothing to say. */
export async function expectScreen(page: Page, path: string, title: string): Promise<void> {
  await expectPath(page, path)
  await expect(heading(page, title)).toBeVisible()
  await expectFitsAndAccessible(page, title)
}

export const expectPlanScreen = (page: Page, { t }: Visitor) =>
  expectScreen(page, '/signup/plan', t('billing.plan.title'))

/** Nobody is in before the code, whatever they came by. */
export async function passSecondFactor(
  page: Page,
  visitor: Visitor,
  guarded: PersonWithTwoFactor,
): Promise<void> {
  const { t } = visitor
  await expectPath(page, '/login/otp')
  await visitor.expectMessage(t('two_factor.otp.as', { email: guarded.email }))
  await visitor.expectSignedOut()
  await typeCode(page, guarded.app.nextCode(), t('two_factor.otp.code'))
}
type PersonWithTwoFactor = Awaited<ReturnType<typeof enableTwoFactor>>

/** Where it leads depends on who comes, and not on the door. */
async function signInEachPerson(
  page: Page,
  visitor: Visitor,
  goIn: (person: Person) => Promise<void>,
): Promise<void> {
  const { t, personOptions } = visitor
  await test.step('a second factor', async () => {
    const guarded = await enableTwoFactor(await createOnboardedPerson(personOptions))
    await goIn(guarded)
    await passSecondFactor(page, visitor, guarded)
    await expectPath(page, '/dashboard')
    await visitor.clearBrowser()
  })
  await test.step('no plan', async () => {
    await goIn(await createVerifiedPerson(personOptions))
    await expectPlanScreen(page, visitor)
    await visitor.clearBrowser()
  })
  await test.step('several accounts', async () => {
    await goIn(await createPersonInTwoAccounts(personOptions))
    await expectScreen(page, '/dashboard', t('dashboard.title'))
    await expectDefaultAccount(page, '/dashboard', t('account.nav.your_menu'))
    await visitor.clearBrowser()
  })
}

/** The newest link, and the dead ones: replaced by it, made up, and none. */
async function requestSecondLink(
  visitor: Visitor,
  { email, lastMail }: Person,
  path: string,
  screen: string,
) {
  const old = await waitForLink(email, lastMail, screen)
  await requestLink(visitor, path, email)
  const { url } = await waitForLink(email, old.mail.id, screen)
  return { url, mail: old.mail, dead: [old.url, `${screen}?token=made-up`, screen] }
}

export async function signInByMagicLink(page: Page, visitor: Visitor): Promise<void> {
  const { t, personOptions, language } = visitor
  await test.step('asked for, wrong, used, and used again', async () => {
    const person = await createOnboardedPerson(personOptions)
    await page.goto('/login')
    await field(page, t('auth.email')).fill(person.email)
    await button(page, t('auth.sign_in.magic')).click()
    await expect(field(page, t('auth.email'))).toHaveValue(person.email)
    await button(page, t('auth.sign_in.magic_button')).click()
    await visitor.expectMessage(t('auth.verify.inbox'))
    await expect(button(page, matchOneOf(t('auth.link.again_in')))).toBeDisabled()
    await expect(visitor.link(t('auth.verify.open_inbox'))).toBeVisible()

    const { url, mail, dead } = await requestSecondLink(visitor, person, '/api/auth/magic', '/magic')
    expect(mail.subject).toBe({ en: 'Your sign-in link', de: 'Ihr Anmeldelink' }[language])
    await expectInvalidLinks(page, visitor, dead, t('auth.magic.invalid'))
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
  const goIn = async ({ email, lastMail }: Person) => {
    await requestLink(visitor, '/api/auth/magic', email)
    await page.goto((await waitForLink(email, lastMail, '/magic')).url)
    await button(page, t('auth.magic.button')).click()
  }
  await signInEachPerson(page, visitor, goIn)
  await test.step('an unfinished set-up', async () => {
    await goIn(await createPersonWithPlan(personOptions))
    await expectScreen(page, '/welcome', t('onboarding.welcome.title', { name: 'Mara' }))
    await visitor.clearBrowser()
  })
  await test.step('unverified', async () => {
    const person = await createUnverifiedPerson(personOptions)
    await goIn(person)
    await expectPath(page, '/signup/plan')
    await visitor.expectToast(serverText(language, 'auth.password_dropped'))
    const { email, password } = person
    expect((await callApi('POST', '/api/auth', { body: { email, password } })).status).toBe(422)
  })
}

/** Each says so; the last one is looked at whole. */
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
  const choose = async (word: string) => {
    await passwordField(page, t('auth.reset.password')).fill(word)
    await passwordField(page, t('auth.confirm_password')).fill(word)
    await button(page, t('auth.reset.button')).click()
  }
  await test.step('asked for, wrong, refused, used, and used again', async () => {
    const person = await createOnboardedPerson(personOptions)
    await page.goto('/login')
    await visitor.link(t('auth.sign_in.forgot')).click()
    await expectScreen(page, '/forgotpassword', t('auth.forgot.title'))
    // With a finger the focus stays on the heading: a field would open the keyboard over the page.
    const first = language === 'en' ? field(page, t('auth.email')) : heading(page, t('auth.forgot.title'))
    await expect(first).toBeFocused()
    await field(page, t('auth.email')).fill(person.email)
    await button(page, t('auth.forgot.button')).click()
    await visitor.expectMessage(t('auth.verify.inbox'))

    const { url, mail, dead } = await requestSecondLink(visitor, person, path, '/resetpassword')
    expect(mail.subject).toBe({ en: 'Choose a new password', de: 'Neues Passwort festlegen' }[language])
    await expectInvalidLinks(page, visitor, dead, t('auth.reset.expired'))
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
  const goIn = async ({ email, lastMail }: Person) => {
    await requestLink(visitor, path, email)
    await page.goto((await waitForLink(email, lastMail, '/resetpassword')).url)
    await choose(newPassword)
  }
  await signInEachPerson(page, visitor, goIn)
  await test.step('unverified', async () => {
    const person = await createUnverifiedPerson(personOptions)
    await goIn(person)
    await expectPlanScreen(page, visitor)
    expect((await signInByApi(person.email, newPassword)).user.verified).toBe(true)
  })
}

export async function signInByPassword(page: Page, visitor: Visitor): Promise<void> {
  const { t, personOptions, language } = visitor
  await test.step('nothing, wrong, and right', async () => {
    const person = await createOnboardedPerson(personOptions)
    const word = passwordField(page, t('auth.password'))
    await page.goto('/login')
    await button(page, t('auth.sign_in.button')).click()
    await visitor.expectMessage(t('global.form.error.required', { label: t('auth.email') }))
    await field(page, t('auth.email')).fill(person.email)
    await word.fill('limestone-2!')
    await button(page, t('auth.sign_in.button')).click()
    await visitor.expectMessage(refusalText(language, 'credentials_wrong'))
    await expect(word).toHaveAccessibleDescription(refusalText(language, 'credentials_wrong'))
    await expect(word).toBeFocused()
    await expect(field(page, t('auth.email'))).toHaveValue(person.email)
    await word.fill(person.password)
    await page.keyboard.press('Enter')
    await expectPath(page, '/dashboard')
    await visitor.clearBrowser()
  })
  await signInEachPerson(page, visitor, visitor.signIn)
  await test.step('unverified', async () => {
    await visitor.signIn(await createUnverifiedPerson(personOptions))
    await expectPath(page, '/signup/verify')
    await visitor.expectMessage(t('auth.verify.inbox'))
  })
}
