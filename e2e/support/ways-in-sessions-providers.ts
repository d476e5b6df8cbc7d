import type { Page } from '@playwright/test'
import { typeCode, withSecondFactor } from './authenticator-app.ts'
import type { Walker } from './late.ts'
import { waitForLink, waitForSubject } from './mail.ts'
import { addAuthenticator, withoutOffer } from './passkeys.ts'
import { call, freshAddress, inTwoAccounts, type Person, settled, signedUp, verified } from './people.ts'
import { beSomeone, provider } from './social.ts'
import { answerAs, ready } from './sso.ts'
import { button, expectAt, expectInDefault, expectWellShown, field, heading, openAs } from './steps.ts'
import { expect, test } from './test.ts'
import { toPlans } from './ways-in-links.ts'
import { openAccounts } from './ways-in-sessions.ts'
import { refusal } from './words.ts'

/** The secret of a way back from a provider, in the address that the browser is sent to. */
function wayBack(page: Page, path: string): Promise<string> {
  return page
    .waitForRequest(request => {
      const { pathname, searchParams } = new URL(request.url())
      return request.isNavigationRequest() && pathname === path && searchParams.has('token')
    })
    .then(request => request.url())
}

/** Somebody claimed the address here and never proved it: with who has it, nothing of that is left. */
async function claimIsGone(page: Page, walk: Walker, claimant: Person): Promise<void> {
  await walk.empty()
  await walk.signIn(claimant)
  await expect(page.getByText(refusal(walk.language, 'credentials_wrong')).first()).toBeVisible()
  await expectWellShown(page, 'a claim that is gone')
  await walk.empty()
}

export async function byProvider(page: Page, walk: Walker): Promise<void> {
  const { w, language, wish } = walk
  const come = async (who: { email: string; verified?: boolean }, from = '/login') => {
    await page.goto(from)
    await provider(page).click()
    await beSomeone(page, who)
  }
  const refused = async (code: string) => {
    await walk.told(w('social.failed'), refusal(language, code))
    await walk.out()
  }
  await test.step('an address that the provider has not verified', async () => {
    await come({ email: (await settled(wish)).email, verified: false })
    await refused('social_email_unverified')
    await walk.link(w('social.back')).click()
    await expectAt(page, '/login')
  })
  await test.step('unknown here, where a second factor guards the address', async () => {
    const { email } = await withSecondFactor(await settled(wish))
    await come({ email })
    await refused('social_connect_first')
  })
  await test.step('in several accounts, then with a second factor', async () => {
    const person = await inTwoAccounts({ language })
    await come(person, '/signup')
    await expectInDefault(page, '/dashboard', w('account.nav.your_menu'))
    // Its session ends with the change, and what it would ask by then with it.
    await walk.empty()
    const { app } = await withSecondFactor(person)
    await come(person)
    await expectAt(page, '/login/otp')
    await walk.told(w('two_factor.otp.title'), w('two_factor.otp.text'))
    await walk.out()
    await typeCode(page, app.next(), w('two_factor.otp.code'))
    await expectAt(page, '/dashboard')
    await walk.empty()
  })
  await test.step('claimed by somebody else, without a plan, and the way back once more', async () => {
    const claimant = await signedUp(wish)
    const link = wayBack(page, '/login/social')
    await come(claimant)
    await toPlans(page, walk)
    await page.evaluate(() => localStorage.clear())
    await page.goto(await link)
    await refused('link_expired')
    await expectAt(page, /^\/login\/social\?provider=google$/)
    await claimIsGone(page, walk, claimant)
  })
}

export async function bySingleSignOn(page: Page, walk: Walker): Promise<void> {
  const { w, language, wish } = walk
  const { domain } = await ready()
  const email = `ida@${domain}`
  const comeAs = async (person: { email: string }) => {
    await page.goto('/login')
    await walk.link(w('auth.sign_in.sso')).click()
    await field(page, w('sso.start.email')).fill(email)
    await button(page, w('sso.start.go')).click()
    await answerAs(page, person)
  }
  const refused = async (code: string) => {
    await walk.told(w('sso.callback.failed'), refusal(language, code))
    await walk.out()
  }
  await test.step('unknown, of another domain, from outside, and without a token', async () => {
    await page.goto('/login/saml')
    await walk.told(w('sso.start.title'))
    await field(page, w('sso.start.email')).fill(freshAddress().replace('@', '@nobody.'))
    await button(page, w('sso.start.go')).click()
    await walk.told(w('sso.start.unknown'), w('sso.start.unknown_text'))
    await expect(page).toHaveURL(/\/login\/saml$/)
    await comeAs({ email: 'ida@elsewhere.example' })
    await refused('sso_domain_unproven')
    await walk.link(w('sso.callback.back')).click()
    await expectAt(page, '/login')
    await comeAs(await settled({ ...wish, email: `olga@${domain}` }))
    await refused('sso_not_member')
    await page.goto('/login/saml/callback?saml_callback=1')
    await walk.told(w('sso.callback.failed'))
  })
  const claimant = await signedUp({ ...wish, email })
  const { mail: claimed } = await waitForLink(email)
  const user = await test.step('claimed by somebody else, and the way back once more', async () => {
    const link = wayBack(page, '/login/saml/callback')
    await comeAs({ email })
    await expect(heading(page, w('onboarding.welcome.title', { name: 'Ida' }))).toBeVisible()
    await expectWellShown(page, 'in by single sign-on')
    const kept = await page.evaluate(() => localStorage.getItem('plinth.session'))
    await page.goto(await link)
    await walk.told(w('auth.present.title'), w('sso.callback.present', { name: 'Ida Ek' }))
    await button(page, w('sso.callback.replace')).click()
    await walk.told(w('sso.callback.failed'), refusal(language, 'sso_failed'))
    await claimIsGone(page, walk, claimant)
    return JSON.parse(kept ?? '{}') as Person['user'] // as: the browser keeps the whole answer
  })
  await test.step('with a second factor, in several accounts, of which it opens this one alone', async () => {
    const { app } = await withSecondFactor({ email, password: '', lastMail: '0', user })
    const again = await signedUp({ ...wish, email })
    const { token } = await waitForLink(email, claimed.id, '/signup/verify')
    await call('POST', '/api/user/verify', { token: again.user.token, body: { token } })
    await comeAs({ email })
    await expectAt(page, '/login/otp')
    await walk.told(w('two_factor.otp.title'), w('two_factor.otp.text'))
    await walk.out()
    await typeCode(page, app.next(), w('two_factor.otp.code'))
    await expectAt(page, '/welcome')
    await page.goto('/account')
    await (await openAccounts(page, walk)).click()
    await walk.toldByToast(refusal(language, 'sso_alone'))
    await expectAt(page, '/account')
    await walk.empty()
  })
}

export async function byPasskey(page: Page, walk: Walker): Promise<void> {
  const { w, language, wish } = walk
  await withoutOffer(page)
  const device = await addAuthenticator(page)
  const section = page.getByRole('region', { name: w('account.passkeys.title') })
  const door = button(page, w('auth.sign_in.passkey'))
  const name = 'Blue 1'
  const add = async () => {
    await section.getByRole('button', { name: w('account.passkeys.add') }).click()
    const dialog = page.getByRole('dialog', { name: w('account.passkeys.new_title') })
    await dialog.getByLabel(w('account.passkeys.name')).fill(name)
    await dialog.getByRole('button', { name: w('account.passkeys.save') }).click()
    await expect(section.getByText(name, { exact: true })).toBeVisible()
  }
  const outAndIn = async () => {
    await walk.empty()
    await page.goto('/login')
    await door.click()
  }
  await test.step('nobody adds one before the address is confirmed', async () => {
    await openAs(page, await signedUp(wish), '/account/profile')
    await expect(field(page, w('account.profile.first_name'))).toBeVisible()
    await expect(section).toHaveCount(0)
    await expectWellShown(page, 'a profile before the address is confirmed')
  })
  await test.step('without a plan', async () => {
    await openAs(page, await verified(wish), '/account/profile')
    await add()
    await outAndIn()
    await toPlans(page, walk)
    await device.forget()
  })
  await test.step('in several accounts, with a second factor that it is itself', async () => {
    const person = await withSecondFactor(await inTwoAccounts({ language }))
    await openAs(page, person, '/account/profile')
    await walk.told(w('account.passkeys.none'))
    await add()
    await expect(section).toContainText(w('account.passkeys.unused'))
    expect(await device.count()).toBe(1)
    await waitForSubject(person.email, /passkey/i, person.lastMail)
    await expectWellShown(page, 'a profile with a passkey')
    // It verifies nobody, so it is no second factor: it gets nowhere.
    await device.fits(false)
    await outAndIn()
    await expect(door).not.toHaveAttribute('aria-busy')
    await expectAt(page, '/login')
    await walk.out()
    await expectWellShown(page, 'a passkey that verified nobody')
    await device.fits(true)
    await door.click()
    await expectInDefault(page, '/dashboard', w('account.nav.your_menu'))
  })
  await test.step('removed', async () => {
    await page.goto('/account/profile')
    await expect(section.getByText(name, { exact: true })).toBeVisible()
    await expect(section).not.toContainText(w('account.passkeys.unused'))
    await section.getByRole('button', { name: w('account.passkeys.remove_of', { name }) }).click()
    const question = page.getByRole('alertdialog', { name: w('account.passkeys.remove_title', { name }) })
    await expectWellShown(page, 'the question before it is removed')
    await question.getByRole('button', { name: w('account.passkeys.remove') }).click()
    await walk.toldByToast(w('account.passkeys.removed', { name }))
    await expect(section.getByText(w('account.passkeys.none'))).toBeVisible()
    await outAndIn()
    await walk.toldByToast(refusal(language, 'passkey_unknown'))
    await expectAt(page, '/login')
    await walk.out()
  })
}
