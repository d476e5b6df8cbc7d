import type { Page } from '@playwright/test'
import { button, toast } from '../pages/elements.ts'
import { expectFitsAndAccessible, expectPath } from '../pages/expectations.ts'
import { expectDefaultAccount } from '../pages/sign-in.ts'
import { codeField, enableTwoFactor, typeBackupCode, typeCode } from '../people/authenticator-app.ts'
import { createPersonInTwoAccounts, createVerifiedPerson } from '../people/people.ts'
import { expect } from '../test.ts'
import { matchContaining, refusalText, serverText } from '../texts.ts'
import { expectPlanScreen } from './password-and-links.ts'
import type { Visitor } from './visitor.ts'

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
  // Pasted with a space between the groups and with extra digits.
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
  // Four wrong codes, then the fifth ends the sign-in.
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
  const chooseBackupCode = () => button(page, t('two_factor.otp.use_backup')).click()
  const person = await enableTwoFactor(await createPersonInTwoAccounts({ language }))
  await visitor.signIn(person)
  await chooseBackupCode()
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
  await chooseBackupCode()
  await typeBackupCode(page, person.backup, label)
  await expectCodeRefused(page, label, serverText(language, 'two_factor.backup_wrong'))
  await visitor.expectSignedOut()
  await visitor.clearBrowser()

  const withoutPlan = await enableTwoFactor(await createVerifiedPerson({ language }))
  await visitor.signIn(withoutPlan)
  await chooseBackupCode()
  await typeBackupCode(page, withoutPlan.backup, label)
  await expectPlanScreen(page, visitor)
  await expect(toast(page, t('two_factor.backup_used'), language)).toBeVisible()
}
