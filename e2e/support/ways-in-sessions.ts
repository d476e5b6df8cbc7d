import type { Locator, Page } from '@playwright/test'
import { codeField, typeBackupCode, typeCode, withSecondFactor } from './authenticator-app.ts'
import { cardForm } from './card.ts'
import type { Walker } from './late.ts'
import { waitForLink } from './mail.ts'
import { call, inTwoAccounts, type Person, settled, signedIn, verified } from './people.ts'
import { enforce, ready } from './sso.ts'
import { button, expectAt, expectInDefault, expectWellShown, heading, openAs, toast } from './steps.ts'
import { expect } from './test.ts'
import { toPlans } from './ways-in-links.ts'
import { containing, fromServer, refusal } from './words.ts'

/** A code that is refused: the reason stands with the field, which waits for another one. */
async function refused(page: Page, label: string, why: string): Promise<void> {
  const field = codeField(page, label)
  await expect(field).toHaveAccessibleDescription(containing(why))
  await expect(field).toBeFocused()
  await expectWellShown(page, why)
}

export async function appCode(page: Page, walk: Walker): Promise<void> {
  const { w, language } = walk
  const label = w('two_factor.otp.code')
  const wrong = refusal(language, 'code_wrong')
  const person = await withSecondFactor(await inTwoAccounts({ language }))
  await walk.signIn(person)
  await expect(page.getByText(w('two_factor.otp.as', { email: person.email }))).toBeVisible()
  await typeCode(page, person.app.wrong(), label)
  await refused(page, label, wrong)
  await expect(codeField(page, label)).toHaveValue('')
  const code = person.app.next()
  // As it comes out of a message: in groups, and with something behind it.
  await codeField(page, label).fill(`${code.slice(0, 3)} ${code.slice(3)} 99`)
  await expectInDefault(page, '/dashboard', w('account.nav.your_menu'))
  await walk.empty()

  await walk.signIn(person)
  await typeCode(page, code, label)
  await refused(page, label, wrong)
  await walk.out()
  await walk.empty()
}

export async function guessedCode(page: Page, walk: Walker): Promise<void> {
  const { w, language } = walk
  const label = w('two_factor.otp.code')
  await page.goto('/login/otp')
  await walk.told(w('two_factor.otp.missing'), w('two_factor.otp.missing_text'))
  await walk.link(w('two_factor.otp.back')).click()
  await expectAt(page, '/login')
  // What the right code would lead to comes after this.
  const person = await withSecondFactor(await verified({ language }))
  await walk.signIn(person)
  for (let n = 0; n < 4; n++) {
    await typeCode(page, person.app.wrong(), label)
    await expect(codeField(page, label)).toHaveAccessibleDescription(
      containing(refusal(language, 'code_wrong')),
    )
    await expect(codeField(page, label)).toHaveValue('')
  }
  await typeCode(page, person.app.wrong(), label)
  await walk.toldByToast(fromServer(language, 'two_factor.challenge_spent'))
  await expectAt(page, '/login')
  await walk.out()
  await walk.signIn(person)
  await typeCode(page, person.app.next(), label)
  await toPlans(page, walk)
  await walk.empty()
}

export async function backupCode(page: Page, walk: Walker): Promise<void> {
  const { w, language } = walk
  const label = w('two_factor.otp.backup')
  const toBackup = () => button(page, w('two_factor.otp.use_backup')).click()
  const person = await withSecondFactor(await inTwoAccounts({ language }))
  await walk.signIn(person)
  await toBackup()
  await walk.told(w('two_factor.otp.title'), w('two_factor.otp.backup_text'))
  await typeBackupCode(page, 'ABCD-EFGH-JKMN-PQRS-TVWX-YZ23', label)
  await refused(page, label, fromServer(language, 'two_factor.backup_wrong'))
  await typeBackupCode(page, person.backup.toLowerCase().replaceAll('-', ' '), label)
  await walk.told(w('two_factor.backup_used'), w('two_factor.backup_used_text'))
  await expectInDefault(page, '/dashboard', w('account.nav.your_menu'))
  await page.goto('/account/2fa')
  await walk.told(w('two_factor.backup_used'), w('two_factor.backup_used_text'))
  await button(page, w('two_factor.renew')).click()
  await expect(page.locator('code')).toHaveText(/^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/)
  await expect(page.locator('code')).not.toHaveText(person.backup)
  await walk.empty()

  await walk.signIn(person)
  await toBackup()
  await typeBackupCode(page, person.backup, label)
  await refused(page, label, fromServer(language, 'two_factor.backup_wrong'))
  await walk.out()
  await walk.empty()

  const early = await withSecondFactor(await verified({ language }))
  await walk.signIn(early)
  await toBackup()
  await typeBackupCode(page, early.backup, label)
  await toPlans(page, walk)
  await expect(toast(page, w('two_factor.backup_used'), language)).toBeVisible()
}

/** The accounts in the menu of who is in, but the one that is open: which that is only the server's answer says. */
export async function openAccounts(page: Page, { w }: Walker): Promise<Locator> {
  await button(page, w('account.nav.your_menu')).click()
  const accounts = page.getByRole('menuitemcheckbox')
  await expect(accounts.and(page.locator('[aria-checked=true]'))).toBeVisible()
  return accounts.and(page.locator('[aria-checked=false]'))
}

/** Another account of theirs has no plan yet. */
export async function switchWithoutPlan(page: Page, walk: Walker): Promise<void> {
  const { w, language } = walk
  const person = await withSecondFactor(await inTwoAccounts({ language, plan: false }))
  await walk.signIn(person)
  await typeCode(page, person.app.next(), w('two_factor.otp.code'))
  await expectAt(page, '/signup/plan')
  await page.goto('/account/profile')
  const first = await openAccounts(page, walk)
  await expect(page.getByRole('menu')).toContainText(w('account.menu.switch'))
  await expectWellShown(page, 'the accounts to switch between')
  // The second factor, shown once, is not asked for again.
  await first.click()
  await expect(heading(page, w('dashboard.title'))).toBeVisible()
  await expectWellShown(page, 'the account that was switched to')
  const second = await openAccounts(page, walk)
  await expect(page.getByRole('menuitemcheckbox', { checked: true })).toHaveText('First Harbour')
  await second.click()
  await toPlans(page, walk)
  await cardForm(language).planRadio(page, 'free').check()
  await button(page, w('billing.button.free')).click()
  await expectInDefault(page, '/dashboard', w('account.nav.your_menu'))
  await walk.empty()
}

/** What the menu offered has changed by the time it is chosen. */
export async function switchTooLate(page: Page, walk: Walker): Promise<void> {
  const { w, language } = walk
  const { owner } = await ready()
  const guest = await joined(owner, await settled({ language }))
  await openAs(page, guest, '/account/profile')
  await (await openAccounts(page, walk)).click()
  await expect(heading(page, w('dashboard.title'))).toBeVisible()
  const closed = await openAccounts(page, walk)
  await enforce(owner)
  await closed.click()
  await expectAt(page, '/login/saml')
  await walk.toldByToast(refusal(language, 'sso_required'))

  await page.goto('/dashboard')
  const other = await openAccounts(page, walk)
  const guarded = await asSent(
    page,
    '/api/auth/switch',
    async () => withSecondFactor(await signedIn(guest.email, guest.password)),
    () => other.click(),
  )
  await expectAt(page, '/login')
  await walk.toldByToast(w('global.error.session_title'))
  await walk.out()
  await walk.signIn(guarded)
  await typeCode(page, guarded.app.next(), w('two_factor.otp.code'))
  await expectAt(page, '/dashboard')

  const left = await openAccounts(page, walk)
  await call('DELETE', `/api/user/${guest.user.id}`, { token: owner.user.token })
  await left.click()
  await walk.toldByToast(w('global.error.not_a_member'))
  await expectAt(page, '/dashboard')
  await button(page, w('account.nav.your_menu')).click()
  await expect(page.getByRole('menuitem', { name: w('account.menu.sign_out') })).toBeVisible()
  await expect(page.getByRole('menuitemcheckbox')).toHaveCount(0)
}

/** Somebody who has an account of their own joins another one, and goes on there. */
async function joined(owner: Person, guest: Person): Promise<Person> {
  const body = { email: guest.email, permission: 'user' }
  await call('POST', '/api/invite', { token: owner.user.token, body })
  const { token: invite_id } = await waitForLink(guest.email, guest.lastMail, '/signup/user')
  const { token } = guest.user
  const { data } = await call<Person['user']>('POST', '/api/invite/accept', { token, body: { invite_id } })
  return { ...guest, user: data }
}

/** Does it just as the browser sends this: after what the person did, before the server hears of that. */
async function asSent<T>(page: Page, path: string, act: () => Promise<T>, press: () => Promise<void>) {
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
