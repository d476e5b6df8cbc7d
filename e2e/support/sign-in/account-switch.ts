import type { Locator, Page } from '@playwright/test'
import { callApi } from '../api.ts'
import { openAs } from '../browser/session.ts'
import { waitForLink } from '../mail.ts'
import { cardForm } from '../pages/card-form.ts'
import { button, heading } from '../pages/elements.ts'
import { expectFitsAndAccessible, expectPath } from '../pages/expectations.ts'
import { expectDefaultAccount } from '../pages/sign-in.ts'
import { enableTwoFactor, typeCode } from '../people/authenticator-app.ts'
import {
  createOnboardedPerson,
  createPersonInTwoAccounts,
  type Person,
  signInByApi,
} from '../people/people.ts'
import { createCompanyWithSso, enforceSso } from '../people/sso-company.ts'
import { expect } from '../test.ts'
import { refusalText } from '../texts.ts'
import { expectPlanScreen } from './password-and-links.ts'
import type { Visitor } from './visitor.ts'

/** Opens the menu, waits until the server's reply marks the open account, and returns the others. */
export async function otherAccountsInMenu(page: Page, { t }: Visitor): Promise<Locator> {
  await button(page, t('account.nav.your_menu')).click()
  const accounts = page.getByRole('menuitemcheckbox')
  await expect(accounts.and(page.locator('[aria-checked=true]'))).toBeVisible()
  return accounts.and(page.locator('[aria-checked=false]'))
}

export async function switchToAccountWithoutPlan(page: Page, visitor: Visitor): Promise<void> {
  const { t, language } = visitor
  const person = await enableTwoFactor(await createPersonInTwoAccounts({ language, plan: false }))
  await visitor.signIn(person)
  await typeCode(page, person.app.nextCode(), t('two_factor.otp.code'))
  await expectPath(page, '/signup/plan')
  await page.goto('/account/profile')
  const first = await otherAccountsInMenu(page, visitor)
  await expect(page.getByRole('menu')).toContainText(t('account.menu.switch'))
  await expectFitsAndAccessible(page, 'the accounts to switch between')
  // The second factor is not asked for again.
  await first.click()
  await expect(heading(page, t('dashboard.title'))).toBeVisible()
  await expectFitsAndAccessible(page, 'the account that was switched to')
  const second = await otherAccountsInMenu(page, visitor)
  await expect(page.getByRole('menuitemcheckbox', { checked: true })).toHaveText('First Harbour')
  await second.click()
  await expectPlanScreen(page, visitor)
  await cardForm(language).planRadio(page, 'free').check()
  await button(page, t('billing.button.free')).click()
  await expectDefaultAccount(page, '/dashboard', t('account.nav.your_menu'))
  await visitor.clearBrowser()
}

/** Chooses accounts that changed after the menu was opened. */
export async function switchToChangedAccount(page: Page, visitor: Visitor): Promise<void> {
  const { t, language } = visitor
  const { owner } = await createCompanyWithSso()
  const guest = await joinAccount(owner, await createOnboardedPerson({ language }))
  await openAs(page, guest, '/account/profile')
  await (await otherAccountsInMenu(page, visitor)).click()
  await expect(heading(page, t('dashboard.title'))).toBeVisible()
  const requiresSso = await otherAccountsInMenu(page, visitor)
  await enforceSso(owner)
  await requiresSso.click()
  await expectPath(page, '/login/saml')
  await visitor.expectToast(refusalText(language, 'sso_required'))

  await page.goto('/dashboard')
  const other = await otherAccountsInMenu(page, visitor)
  const person = await runBeforeRequest(
    page,
    '/api/auth/switch',
    async () => enableTwoFactor(await signInByApi(guest.email, guest.password)),
    () => other.click(),
  )
  await expectPath(page, '/login')
  await visitor.expectToast(t('global.error.session_title'))
  await visitor.expectSignedOut()
  await visitor.signIn(person)
  await typeCode(page, person.app.nextCode(), t('two_factor.otp.code'))
  await expectPath(page, '/dashboard')

  const left = await otherAccountsInMenu(page, visitor)
  await callApi('DELETE', `/api/user/${guest.user.id}`, { token: owner.user.token })
  await left.click()
  await visitor.expectToast(t('global.error.not_a_member'))
  await expectPath(page, '/dashboard')
  await button(page, t('account.nav.your_menu')).click()
  await expect(page.getByRole('menuitem', { name: t('account.menu.sign_out') })).toBeVisible()
  await expect(page.getByRole('menuitemcheckbox')).toHaveCount(0)
}

/** A user of another account joins the owner's account and switches to it. */
async function joinAccount(owner: Person, guest: Person): Promise<Person> {
  const body = { email: guest.email, permission: 'user' }
  await callApi('POST', '/api/invite', { token: owner.user.token, body })
  const { token: invite_id } = await waitForLink(guest.email, guest.lastMail, '/signup/user')
  const { token } = guest.user
  const { data } = await callApi<Person['user']>('POST', '/api/invite/accept', { token, body: { invite_id } })
  return { ...guest, user: data }
}

/** Runs `act` between a request of the browser and its arrival at the server. */
async function runBeforeRequest<T>(
  page: Page,
  path: string,
  act: () => Promise<T>,
  press: () => Promise<void>,
) {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  await page.route(
    url => url.pathname === path,
    async route => {
      const acted = act()
      await acted.then(() => route.continue()).catch(reject)
      resolve(acted)
    },
  )
  await press()
  const done = await promise
  await page.unrouteAll()
  return done
}
