import type { Page } from '@playwright/test'
import { callApi } from '../api.ts'
import { openAs } from '../browser/session.ts'
import { waitForLink } from '../mail.ts'
import { button, field, heading, passwordField } from '../pages/elements.ts'
import { expectFitsAndAccessible, expectPath } from '../pages/expectations.ts'
import { enableTwoFactor } from '../people/authenticator-app.ts'
import {
  createOnboardedPerson,
  createPersonInTwoAccounts,
  createUnverifiedPerson,
  createVerifiedPerson,
  newEmail,
  type Person,
  password,
} from '../people/people.ts'
import { expect, test } from '../test.ts'
import { serverText } from '../texts.ts'
import { expectPlanScreen, expectScreen, passSecondFactor } from './password-and-links.ts'
import { isSessionActive, type Visitor } from './visitor.ts'

/** Opens the menu and returns the accounts in it. */
async function openAccountMenu(page: Page, { t }: Visitor) {
  await button(page, t('account.nav.your_menu')).click()
  return page.getByRole('menu').getByRole('menuitemcheckbox')
}

export async function signInByVerification(page: Page, visitor: Visitor): Promise<void> {
  const { t, personOptions, language } = visitor
  const confirm = button(page, t('auth.verify.confirm_button'))
  await test.step('wait; invalid links; resend; use the link; use it again', async () => {
    const person = await createUnverifiedPerson(personOptions)
    const old = await waitForLink(person.email)
    await callApi('POST', '/api/user/verify/request', { token: person.user.token })
    const second = await waitForLink(person.email, old.mail.id)
    await openAs(page, person, '/signup/verify')
    await visitor.expectMessage(t('auth.verify.inbox'))
    for (const invalid of ['/signup/verify?token=made-up', old.url]) {
      await page.goto(invalid)
      await confirm.click()
      await expect(page.getByRole('alert')).toContainText(t('auth.verify.expired'))
    }
    await visitor.expectMessage(t('auth.verify.expired'), t('auth.verify.expired_text'))
    await button(page, t('auth.verify.resend')).click()
    await visitor.expectToast(serverText(language, 'auth.verification_sent'))
    await expect(page.getByText(t('auth.verify.expired'))).toBeHidden()

    const third = await waitForLink(person.email, second.mail.id)
    await page.goto(third.url)
    await visitor.expectMessage(t('auth.verify.confirm'))
    await confirm.click()
    await expectPath(page, '/signup/plan')
    // A second use shows no message.
    await page.goto(third.url)
    await expectPlanScreen(page, visitor)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await visitor.clearBrowser()
  })
  await test.step('without a session', async () => {
    const person = await createUnverifiedPerson(personOptions)
    await page.goto((await waitForLink(person.email)).url)
    await expectPath(page, '/login')
    await visitor.expectMessage(t('auth.sign_in.to_verify'))
    await field(page, t('auth.email')).fill(person.email)
    await passwordField(page, t('auth.password')).fill(person.password)
    await button(page, t('auth.sign_in.button')).click()
    await expectPath(page, '/signup/verify')
    await confirm.click()
    await expectPath(page, '/signup/plan')
    await visitor.clearBrowser()
  })
  await test.step('a person with a second factor and two accounts', async () => {
    const person = await enableTwoFactor(await createOnboardedPerson(personOptions))
    const again = await createUnverifiedPerson({ ...personOptions, email: person.email })
    await openAs(page, again, (await waitForLink(person.email, person.lastMail, '/signup/verify')).url)
    await confirm.click()
    await visitor.expectToast(serverText(language, 'auth.account_attached'))
    await visitor.signIn(person)
    await passSecondFactor(page, visitor, person)
    await expectScreen(page, '/welcome', t('onboarding.duplicate.title'))
    await page.goto('/account')
    const accounts = await openAccountMenu(page, visitor)
    await expect(accounts).toHaveCount(2)
    // Both accounts have the same name: the menu adds role and date.
    const line = t('account.menu.account_line', { role: t('account.menu.role.owner'), date: '' }).trim()
    await expect(accounts.filter({ hasText: line })).toHaveCount(2)
    await expectFitsAndAccessible(page, 'two accounts with the same name')
  })
}

export async function signInByInvite(page: Page, visitor: Visitor): Promise<void> {
  const { t, personOptions, language } = visitor
  const role = serverText(language, 'roles.admin')
  /** Each invite has a new owner: the free plan has seats for two invites. */
  const createInvite = async (email: string, after = '0') => {
    const { user } = await createOnboardedPerson({ ...personOptions, first: 'Ada' })
    await callApi('POST', '/api/invite', {
      token: user.token,
      body: { email, permission: 'admin' },
      language,
    })
    const account = user.accounts[0]?.name ?? ''
    return { url: (await waitForLink(email, after, '/signup/user')).url, owner: user.token, account }
  }
  const joinAs = async (first: string) => {
    await field(page, t('auth.last_name')).fill('Lindqvist')
    await passwordField(page, t('auth.password')).fill(password)
    await passwordField(page, t('auth.confirm_password')).fill(password)
    await button(page, t('links.invite.button')).click()
    await expectPath(page, '/welcome')
    await expect(heading(page, t('onboarding.welcome.title', { name: first }))).toBeVisible()
  }
  /** An existing user opens the invite and signs in. */
  const signIn = async (guest: Person) => {
    const invite = await createInvite(guest.email, guest.lastMail)
    await page.goto(invite.url)
    await visitor.expectMessage(t('links.invite.from', { inviter: 'Ada Okafor', role }))
    await button(page, t('links.invite.sign_in_button')).click()
    await expectPath(page, '/login')
    await expect(field(page, t('auth.email'))).toHaveValue(guest.email)
    await passwordField(page, t('auth.password')).fill(guest.password)
    await button(page, t('auth.sign_in.button')).click()
    return { ...invite, join: button(page, t('links.invite.join', { account: invite.account })) }
  }

  await test.step('a link without a token, and with a wrong one', async () => {
    await page.goto('/signup/user')
    await visitor.expectMessage(t('links.invite.missing'), t('links.invite.missing_text'))
    const { url } = await createInvite(newEmail())
    const changed = new URL(url)
    changed.searchParams.set('id', 'changed')
    await page.goto(changed.href)
    await visitor.expectMessage(t('links.invite.gone'), t('links.invite.gone_text'))
    await visitor.link(t('auth.sign_up.sign_in')).click()
    await expectPath(page, '/login')
  })
  await test.step('for another address without a user; used again, signed in and signed out', async () => {
    const other = await createOnboardedPerson(personOptions)
    const email = newEmail('ines')
    const { url } = await createInvite(email)
    await openAs(page, other, url)
    await visitor.expectMessage(t('links.invite.other', { email, name: 'Mara Okafor' }))
    await button(page, t('links.invite.other_button')).click()
    await expect(field(page, t('auth.email'))).toHaveValue(email)
    expect(await isSessionActive(visitor, other.user.token)).toBe(false)
    await field(page, t('auth.first_name')).fill('Inês')
    await page.reload()
    await expect(field(page, t('auth.first_name'))).toHaveValue('Inês')
    await visitor.expectMessage(t('links.invite.from', { inviter: 'Ada Okafor', role }))
    await joinAs('Inês')

    await page.goto(url)
    await visitor.expectMessage(t('links.invite.used'), t('links.invite.used_text'))
    await visitor.link(t('global.not_found.button')).click()
    await expectPath(page, '/dashboard')
    await visitor.clearBrowser()
    await page.goto(url)
    await visitor.expectMessage(t('links.invite.gone'), t('links.invite.gone_text'))
  })
  await test.step('an unverified person: joining verifies the address', async () => {
    const guest = await createUnverifiedPerson(personOptions)
    const { mail } = await waitForLink(guest.email)
    const { url, account } = await createInvite(guest.email, mail.id)
    await openAs(page, guest, url)
    await visitor.expectMessage(
      t('links.invite.from', { inviter: 'Ada Okafor', role }),
      t('links.invite.verifies', { email: guest.email }),
    )
    await button(page, t('links.invite.join', { account })).click()
    await expectScreen(page, '/welcome', t('onboarding.welcome.title', { name: 'Mara' }))
    await visitor.clearBrowser()
  })
  await test.step('a person with a second factor', async () => {
    const person = await enableTwoFactor(await createOnboardedPerson(personOptions))
    const { join } = await signIn(person)
    await passSecondFactor(page, visitor, person)
    await join.click()
    await expectPath(page, '/dashboard')
    await visitor.clearBrowser()
  })
  await test.step('a person without a plan', async () => {
    const { join } = await signIn(await createVerifiedPerson(personOptions))
    await join.click()
    // The full onboarding is shown: this person has not been in an account yet.
    await expectScreen(page, '/welcome', t('onboarding.welcome.title', { name: 'Mara' }))
    await visitor.clearBrowser()
  })
  await test.step('a person in several accounts, who keeps them', async () => {
    const { join, account, owner } = await signIn(await createPersonInTwoAccounts(personOptions))
    await join.dblclick()
    await visitor.expectToast(serverText(language, 'team.joined').replace('{{account}}', account))
    await expectPath(page, '/dashboard')
    const { data } = await callApi<{ users: unknown[] }>('GET', '/api/account/users', { token: owner })
    expect(data.users).toHaveLength(2)
    const accounts = await openAccountMenu(page, visitor)
    await expect(accounts).toHaveCount(3)
    await expect(accounts.and(page.locator('[aria-checked=true]'))).toHaveText(account)
  })
}
