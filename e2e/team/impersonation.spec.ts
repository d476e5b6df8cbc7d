import type { Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { openAs } from '../support/browser/session.ts'
import { button, heading } from '../support/pages/elements.ts'
import { expectFitsAndAccessible, expectPath } from '../support/pages/expectations.ts'
import { rolesOfScreen } from '../support/pages/screen-roles.ts'
import { startNavigation } from '../support/pages/screens.ts'
import { expectDefaultAccount } from '../support/pages/sign-in.ts'
import { enableTwoFactor } from '../support/people/authenticator-app.ts'
import {
  createOnboardedPerson,
  createPersonInTwoAccounts,
  createVerifiedPerson,
  demoEmail,
  type Person,
  signInByApi,
  updateUser,
} from '../support/people/people.ts'
import { expectPlanScreen } from '../support/sign-in/password-and-links.ts'
import type { Visitor } from '../support/sign-in/visitor.ts'
import { createLocalVisitor } from '../support/sign-in/visitor-test.ts'
import { expect, test } from '../support/test.ts'
import { type Language, languageViewports, refusalText } from '../support/texts.ts'

// Both languages run one after the other.
test.describe.configure({ timeout: 120_000 })

type Ask = (email: string) => Promise<{ code?: string; data: { url: string } }>
type SupportVisit = { page: Page; visitor: Visitor; ask: Ask; support: Person }

/** An invalid link shows the 404 page. */
async function expectNotFound({ page, visitor }: Pick<SupportVisit, 'page' | 'visitor'>): Promise<void> {
  await expectPath(page, '/404')
  await visitor.expectMessage(visitor.t('global.not_found.heading'), visitor.t('global.not_found.text'))
}

async function openWithConsent({ page, visitor, ask }: SupportVisit, helped: Person): Promise<void> {
  expect((await ask(helped.email)).code).toBe('support_not_enabled')
  await openAs(page, helped, '/account/profile')
  const consent = page.getByRole('switch', { name: visitor.t('account.support.switch') })
  const saved = page.waitForResponse(answer => answer.request().method() === 'PATCH')
  await consent.click()
  await saved
  await page.reload()
  await expect(consent).toBeChecked()
  await visitor.clearBrowser()
}

async function impersonate({ page, visitor, ask, support }: SupportVisit, helped: Person): Promise<void> {
  const { t, language } = visitor
  const note = page.getByRole('complementary', { name: t('global.support.region') })
  const { url } = (await ask(helped.email)).data
  await test.step('the link does not work without a session', async () => {
    await page.goto(url)
    await expectNotFound({ page, visitor })
  })
  await test.step('support sees the banner on every page and cannot change anything', async () => {
    await openAs(page, support, '/account')
    await page.goto(url)
    await expectDefaultAccount(page, '/dashboard', t('account.nav.your_menu'))
    expect(page.url()).not.toContain('token')
    await expect(note).toContainText(t('global.support.acting', { name: 'Ines Okafor' }))
    await expectFitsAndAccessible(page, 'the dashboard with the banner')
    for (const [path, title] of [
      ['/account', t('account.nav.account')],
      ['/account/billing', t('account.nav.billing')],
      ['/account/profile', t('account.profile.title')],
    ] as const) {
      await page.goto(path)
      await expect(heading(page, title)).toBeVisible()
      await expect(note).toBeInViewport()
    }
    await page.getByRole('switch', { name: t('account.profile.dark_mode') }).click()
    await visitor.expectToast(refusalText(language, 'support_not_allowed'))
  })
  await test.step('support ends the session; a used link and no link lead to the 404 page', async () => {
    await button(page, t('global.support.end')).click()
    await expectPath(page, '/login')
    await visitor.expectToast(t('global.support.ended'))
    await expect(note).toHaveCount(0)
    await visitor.expectSignedOut()
    await openAs(page, support, '/account')
    await page.goto(url)
    await expectNotFound({ page, visitor })
    await page.goto('/signin/impersonate')
    await expectNotFound({ page, visitor })
  })
  await test.step('the user ends it by withdrawing the consent', async () => {
    await page.goto((await ask(helped.email)).data.url)
    await expect(note).toBeVisible()
    // Leave the page: one of its requests could receive the 401 first.
    await page.goto('about:blank')
    await updateUser(helped.user, { support_enabled: false })
    await page.goto('/account/profile')
    await expectPath(page, '/login')
    await visitor.expectToast(t('global.support.ended'))
    await visitor.expectSignedOut()
  })
  await test.step('a person without a plan is seen on the plan screen', async () => {
    const early = await createVerifiedPerson({ language })
    await updateUser(early.user, { support_enabled: true })
    await openAs(page, support, '/account')
    await page.goto((await ask(early.email)).data.url)
    await expectPlanScreen(page, visitor)
  })
}

test('[role:master-exempt] [route:/signin/impersonate] [screen:impersonate.spinner] [error:impersonate] [T-17] [T-41] support sees the account of a consenting user until one of them ends it, in both languages', async ({
  openOtherBrowser,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401, 403, 422)
  const found = await signInByApi(demoEmail('support'))
  const ask = (token: string, email: string) =>
    callApi<{ url: string }>('POST', '/api/impersonation', { token, body: { email } })
  expect((await ask(found.user.token, demoEmail('owner'))).code).toBe('second_factor_missing')
  const met = []
  for (const { language, where, use } of languageViewports) {
    const page = await openOtherBrowser(use)
    const visitor = createLocalVisitor(page, language)
    met.push({ page, visitor, where })
    await test.step(`${where}: a made-up link, and a sign-in without a second factor`, async () => {
      // A master without a second factor cannot change the language.
      await openAs(page, language === 'en' ? found : await createOnboardedPerson({ language }), '/account')
      await page.goto(`/signin/impersonate?token=${'x'.repeat(43)}`)
      await expectNotFound({ page, visitor })
    })
  }
  const guarded = await enableTwoFactor(found)
  await test.step('a master can open every account screen, the plans and the dashboard', async () => {
    const page = await openOtherBrowser()
    await openAs(page, guarded, '/account')
    for (const path of [...Object.keys(rolesOfScreen), '/signup/plan', '/dashboard']) {
      await startNavigation(page, path)
      await expectPath(page, path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
  })
  for (const { page, visitor, where } of met)
    await test.step(where, async () => {
      const { language } = visitor
      const support = await withLocale(guarded, language)
      const visit = { page, visitor, support, ask: (email: string) => ask(support.user.token, email) }
      // The second factor of the user is not asked for: support has used its own.
      const helped = await enableTwoFactor(await createPersonInTwoAccounts({ first: 'Ines', language }))
      await openWithConsent(visit, helped)
      await impersonate(visit, helped)
    })
})

/** The stored session determines the language until the server has answered. */
async function withLocale(person: Person, locale: Language): Promise<Person> {
  await updateUser(person.user, { locale })
  return { ...person, user: { ...person.user, locale } }
}
