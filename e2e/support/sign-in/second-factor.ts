import type { Locator, Page } from '@playwright/test'
import { codeField, typeBackupCode, typeCode, enableTwoFactor } from '../people/authenticator-app.ts'
import { cardForm } from '../payments/card.ts'
import type { Visitor } from './visitor.ts'
import { waitForLink } from '../mail.ts'
import { callApi, createPersonInTwoAccounts, type Person, createOnboardedPerson, signInByApi, createVerifiedPerson } from '../people/people.ts'
import { enforceSso, createCompanyWithSso } from '../people/sso-company.ts'
import { button, expectPath, expectDefaultAccount, expectFitsAndAccessible, heading, openAs, toast } from '../pages/steps.ts'
import { expect } from '../test.ts'
import { expectPlanScreen } from './password-and-links.ts'
import { matchContaining, serverText, refusalText } from '../texts.ts'

/** A code that is refused: the reason stands with the field, which waits for another one. */
async function expectCodeRefused(page: Page, label: string, why: string): Promise<void> {
  const field = codeField(page, label)
  await expect(field).toHaveAccessibleDescription(matchContaining(why))
  await expect(field).toBeFocused()
  await expectFitsAndAccessible(page, why)
}

export async function signInByAppCode(page: Page, visitor: Visitor): Promise<void> {
  const { t, language } = visitor
  const label = t('two_factor.otp.code')
  const wrong = refusalText(language, 'code_wrong')
  const person = await enableTwoFactor(await createPersonInTwoAccounts({ language }))
  await visitor.signIn(person)
  await expect(page.getByText(t('two_factor.otp.as', { email: person.email }))).toBeVisible()
  await typeCode(page, person.app.wrongCode(), label)
  await expectCodeRefused(page, label, wrong)
  await expect(codeField(page, label)).toHaveValue('')
  const code = person.app.nextCode()
  // As it comes out of a message: in groups, and with something behind it.
  await codeField(page, label).fill(`${code.slice(0, 3)} ${code.slice(3)} 99`)
  await expectDefaultAccount(page, '/dashboard', t('account.nav.your_menu'))
  await visitor.clearBrowser()

  await visitor.signIn(person)
  await typeCode(page, code, label)
  await expectCodeRefused(page, label, wrong)
  await visitor.expectSignedOut()
  await visitor.clearBrowser()
}

export async function guessAppCode(page: Page, visitor: Visitor): Promise<void> {
  const { t, language } = visitor
  const label = t('two_factor.otp.code')
  await page.goto('/login/otp')
  await visitor.expectMessage(t('two_factor.otp.missing'), t('two_factor.otp.missing_text'))
  await visitor.link(t('two_factor.otp.back')).click()
  await expectPath(page, '/login')
  // What the right code would lead to comes after this.
  const person = await enableTwoFactor(await createVerifiedPerson({ language }))
  await visitor.signIn(person)
  for (let n = 0; n < 4; n++) {
    await typeCode(page, person.app.wrongCode(), label)
    await expect(codeField(page, label)).toHaveAccessibleDescription(
      matchContaining(refusalText(language, 'code_wrong')),
    )
    await expect(codeField(page, label)).toHaveValue('')
  }
  await typeCode(page, person.app.wrongCode(), label)
  await visitor.expectToast(serverText(language, 'two_factor.challenge_spent'))
  await expectPath(page, '/login')
  await visitor.expectSignedOut()
  await visitor.signIn(person)
  await typeCode(page, person.app.nextCode(), label)
  await expectPlanScreen(page, visitor)
  await visitor.clearBrowser()
}

export async function signInByBackupCode(page: Page, visitor: Visitor): Promise<void> {
  const { t, language } = visitor
  const label = t('two_factor.otp.backup')
  const toBackup = () => button(page, t('two_factor.otp.use_backup')).click()
  const person = await enableTwoFactor(await createPersonInTwoAccounts({ language }))
  await visitor.signIn(person)
  await toBackup()
  await visitor.expectMessage(t('two_factor.otp.title'), t('two_factor.otp.backup_text'))
  await typeBackupCode(page, 'ABCD-EFGH-JKMN-PQRS-TVWX-YZ23', label)
  await expectCodeRefused(page, label, serverText(language, 'two_factor.backup_wrong'))
  await typeBackupCode(page, person.backup.toLowerCase().replaceAll('-', ' '), label)
  await visitor.expectMessage(t('two_factor.backup_used'), t('two_factor.backup_used_text'))
  await expectDefaultAccount(page, '/dashboard', t('account.nav.your_menu'))
  await page.goto('/account/2fa')
  await visitor.expectMessage(t('two_factor.backup_used'), t('two_factor.backup_used_text'))
  await button(page, t('two_factor.renew')).click()
  await expect(page.locator('code')).toHaveText(/^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/)
  await expect(page.locator('code')).not.toHaveText(person.backup)
  await visitor.clearBrowser()

  await visitor.signIn(person)
  await toBackup()
  await typeBackupCode(page, person.backup, label)
  await expectCodeRefused(page, label, serverText(language, 'two_factor.backup_wrong'))
  await visitor.expectSignedOut()
  await visitor.clearBrowser()

  const early = await enableTwoFactor(await createVerifiedPerson({ language }))
  await visitor.signIn(early)
  await toBackup()
  await typeBackupCode(page, early.backup, label)
  await expectPlanScreen(page, visitor)
  await expect(toast(page, t('two_factor.backup_used'), language)).toBeVisible()
}

/** The accounts in the menu of who is in, but the one that is open: which that is only the server's answer says. */
export async function otherAccountsInMenu(page: Page, { t }: Visitor): Promise<Locator> {
  await button(page, t('account.nav.your_menu')).click()
  const accounts = page.getByRole('menuitemcheckbox')
  await expect(accounts.and(page.locator('[aria-checked=true]'))).toBeVisible()
  return accounts.and(page.locator('[aria-checked=false]'))
}

/** Another account of theirs has no plan yet. */
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
  // The second factor, shown once, is not asked for again.
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

/** What the menu offered has changed by the time it is chosen. */
export async function switchToChangedAccount(page: Page, visitor: Visitor): Promise<void> {
  const { t, language } = visitor
  const { owner } = await createCompanyWithSso()
  const guest = await joinAccount(owner, await createOnboardedPerson({ language }))
  await openAs(page, guest, '/account/profile')
  await (await otherAccountsInMenu(page, visitor)).click()
  await expect(heading(page, t('dashboard.title'))).toBeVisible()
  const closed = await otherAccountsInMenu(page, visitor)
  await enforceSso(owner)
  await closed.click()
  await expectPath(page, '/login/saml')
  await visitor.expectToast(refusalText(language, 'sso_required'))

  await page.goto('/dashboard')
  const other = await otherAccountsInMenu(page, visitor)
  const guarded = await runBeforeRequest(
    page,
    '/api/auth/switch',
    async () => enableTwoFactor(await signInByApi(guest.email, guest.password)),
    () => other.click(),
  )
  await expectPath(page, '/login')
  await visitor.expectToast(t('global.error.session_title'))
  await visitor.expectSignedOut()
  await visitor.signIn(guarded)
  await typeCode(page, guarded.app.nextCode(), t('two_factor.otp.code'))
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

/** Somebody who has an account of their own joins another one, and goes on there. */
async function joinAccount(owner: Person, guest: Person): Promise<Person> {
  const body = { email: guest.email, permission: 'user' }
  await callApi('POST', '/api/invite', { token: owner.user.token, body })
  const { token: invite_id } = await waitForLink(guest.email, guest.lastMail, '/signup/user')
  const { token } = guest.user
  const { data } = await callApi<Person['user']>('POST', '/api/invite/accept', { token, body: { invite_id } })
  return { ...guest, user: data }
}

/** Does it just as the browser sends this: after what the person did, before the server hears of that. */
async function runBeforeRequest<T>(page: Page, path: string, act: () => Promise<T>, press: () => Promise<void>) {
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
