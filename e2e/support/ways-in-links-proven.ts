import type { Page } from '@playwright/test'
import { withSecondFactor } from './authenticator-app.ts'
import { alive, type Walker } from './late.ts'
import { waitForLink } from './mail.ts'
import {
  call,
  freshAddress,
  inTwoAccounts,
  type Person,
  password,
  settled,
  signedUp,
  verified,
} from './people.ts'
import { button, expectAt, expectWellShown, field, heading, openAs, secret } from './steps.ts'
import { expect, test } from './test.ts'
import { cameTo, throughCode, toPlans } from './ways-in-links.ts'
import { fromServer } from './words.ts'

/** The accounts in the menu of who is signed in, which is left open. */
async function accountsOf(page: Page, { w }: Walker) {
  await button(page, w('account.nav.your_menu')).click()
  return page.getByRole('menu').getByRole('menuitemcheckbox')
}

export async function byVerification(page: Page, walk: Walker): Promise<void> {
  const { w, wish, language } = walk
  const confirm = button(page, w('auth.verify.confirm_button'))
  await test.step('waiting, wrong, sent again, used, and used again', async () => {
    const person = await signedUp(wish)
    const old = await waitForLink(person.email)
    await call('POST', '/api/user/verify/request', { token: person.user.token })
    const second = await waitForLink(person.email, old.mail.id)
    await openAs(page, person, '/signup/verify')
    await walk.told(w('auth.verify.inbox'))
    for (const dead of ['/signup/verify?token=made-up', old.url]) {
      await page.goto(dead)
      await confirm.click()
      await expect(page.getByRole('alert')).toContainText(w('auth.verify.expired'))
    }
    await walk.told(w('auth.verify.expired'), w('auth.verify.expired_text'))
    await button(page, w('auth.verify.resend')).click()
    await walk.toldByToast(fromServer(language, 'auth.verification_sent'))
    await expect(page.getByText(w('auth.verify.expired'))).toBeHidden()

    const third = await waitForLink(person.email, second.mail.id)
    await page.goto(third.url)
    await walk.told(w('auth.verify.confirm'))
    await confirm.click()
    await expectAt(page, '/signup/plan')
    // Used once more it is no news.
    await page.goto(third.url)
    await toPlans(page, walk)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await walk.empty()
  })
  await test.step('nobody is signed in', async () => {
    const person = await signedUp(wish)
    await page.goto((await waitForLink(person.email)).url)
    await expectAt(page, '/login')
    await walk.told(w('auth.sign_in.to_verify'))
    await field(page, w('auth.email')).fill(person.email)
    await secret(page, w('auth.password')).fill(person.password)
    await button(page, w('auth.sign_in.button')).click()
    await expectAt(page, '/signup/verify')
    await confirm.click()
    await expectAt(page, '/signup/plan')
    await walk.empty()
  })
  await test.step('a second factor, and two accounts', async () => {
    const person = await withSecondFactor(await settled(wish))
    const again = await signedUp({ ...wish, email: person.email })
    await openAs(page, again, (await waitForLink(person.email, person.lastMail, '/signup/verify')).url)
    await confirm.click()
    await walk.toldByToast(fromServer(language, 'auth.account_attached'))
    await walk.signIn(person)
    await throughCode(page, walk, person)
    await cameTo(page, '/welcome', w('onboarding.duplicate.title'))
    await page.goto('/account')
    const accounts = await accountsOf(page, walk)
    await expect(accounts).toHaveCount(2)
    // Both are called after her: role and time tell them apart.
    const line = w('account.menu.account_line', { role: w('account.menu.role.owner'), date: '' }).trim()
    await expect(accounts.filter({ hasText: line })).toHaveCount(2)
    await expectWellShown(page, 'two accounts of one name')
  })
}

export async function byInvite(page: Page, walk: Walker): Promise<void> {
  const { w, wish, language } = walk
  const role = fromServer(language, 'roles.admin')
  /** By an owner of its own: two invites fill the seats of the free plan. */
  const invited = async (email: string, after = '0') => {
    const { user } = await settled({ ...wish, first: 'Ada' })
    await call('POST', '/api/invite', { token: user.token, body: { email, permission: 'admin' }, language })
    const account = user.accounts[0]?.name ?? ''
    return { url: (await waitForLink(email, after, '/signup/user')).url, owner: user.token, account }
  }
  const joinAs = async (first: string) => {
    await field(page, w('auth.last_name')).fill('Lindqvist')
    await secret(page, w('auth.password')).fill(password)
    await secret(page, w('auth.confirm_password')).fill(password)
    await button(page, w('links.invite.button')).click()
    await expectAt(page, '/welcome')
    await expect(heading(page, w('onboarding.welcome.title', { name: first }))).toBeVisible()
  }
  /** Somebody who is here already opens the link, and signs in. */
  const signIn = async (guest: Person) => {
    const invite = await invited(guest.email, guest.lastMail)
    await page.goto(invite.url)
    await walk.told(w('links.invite.from', { inviter: 'Ada Okafor', role }))
    await button(page, w('links.invite.sign_in_button')).click()
    await expectAt(page, '/login')
    await expect(field(page, w('auth.email'))).toHaveValue(guest.email)
    await secret(page, w('auth.password')).fill(guest.password)
    await button(page, w('auth.sign_in.button')).click()
    return { ...invite, join: button(page, w('links.invite.join', { account: invite.account })) }
  }

  await test.step('incomplete, and wrong', async () => {
    await page.goto('/signup/user')
    await walk.told(w('links.invite.missing'), w('links.invite.missing_text'))
    const { url } = await invited(freshAddress())
    const spoiled = new URL(url)
    spoiled.searchParams.set('id', 'spoiled')
    await page.goto(spoiled.href)
    await walk.told(w('links.invite.gone'), w('links.invite.gone_text'))
    await walk.link(w('auth.sign_up.sign_in')).click()
    await expectAt(page, '/login')
  })
  await test.step('for somebody else, who is new; used, and used again by them and by nobody', async () => {
    const other = await settled(wish)
    const email = freshAddress('ines')
    const { url } = await invited(email)
    await openAs(page, other, url)
    await walk.told(w('links.invite.other', { email, name: 'Mara Okafor' }))
    await button(page, w('links.invite.other_button')).click()
    await expect(field(page, w('auth.email'))).toHaveValue(email)
    expect(await alive(walk, other.user.token)).toBe(false)
    await field(page, w('auth.first_name')).fill('Inês')
    await page.reload()
    await expect(field(page, w('auth.first_name'))).toHaveValue('Inês')
    await walk.told(w('links.invite.from', { inviter: 'Ada Okafor', role }))
    await joinAs('Inês')

    await page.goto(url)
    await walk.told(w('links.invite.used'), w('links.invite.used_text'))
    await walk.link(w('global.not_found.button')).click()
    await expectAt(page, '/dashboard')
    await walk.empty()
    await page.goto(url)
    await walk.told(w('links.invite.gone'), w('links.invite.gone_text'))
  })
  await test.step('unverified: joining verifies the address', async () => {
    const guest = await signedUp(wish)
    const { mail } = await waitForLink(guest.email)
    const { url, account } = await invited(guest.email, mail.id)
    await openAs(page, guest, url)
    await walk.told(
      w('links.invite.from', { inviter: 'Ada Okafor', role }),
      w('links.invite.verifies', { email: guest.email }),
    )
    await button(page, w('links.invite.join', { account })).click()
    await cameTo(page, '/welcome', w('onboarding.welcome.title', { name: 'Mara' }))
    await walk.empty()
  })
  await test.step('a second factor', async () => {
    const guarded = await withSecondFactor(await settled(wish))
    const { join } = await signIn(guarded)
    await throughCode(page, walk, guarded)
    await join.click()
    await expectAt(page, '/dashboard')
    await walk.empty()
  })
  await test.step('no plan', async () => {
    const { join } = await signIn(await verified(wish))
    await join.click()
    // They see the steps of a newcomer: they never were in any account.
    await cameTo(page, '/welcome', w('onboarding.welcome.title', { name: 'Mara' }))
    await walk.empty()
  })
  await test.step('several accounts, which stay', async () => {
    const { join, account, owner } = await signIn(await inTwoAccounts(wish))
    await join.dblclick()
    await walk.toldByToast(fromServer(language, 'team.joined').replace('{{account}}', account))
    await expectAt(page, '/dashboard')
    const { data } = await call<{ users: unknown[] }>('GET', '/api/account/users', { token: owner })
    expect(data.users).toHaveLength(2)
    const accounts = await accountsOf(page, walk)
    await expect(accounts).toHaveCount(3)
    await expect(accounts.and(page.locator('[aria-checked=true]'))).toHaveText(account)
  })
}
