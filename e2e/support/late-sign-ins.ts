import type { Page } from '@playwright/test'
import { authenticatorApp, typeCode, withSecondFactor } from './authenticator-app.ts'
import { after } from './clock.ts'
import type { Walker } from './late.ts'
import { addAuthenticator, withoutOffer } from './passkeys.ts'
import { freshAddress, type Person } from './people.ts'
import { beSomeone, provider } from './social.ts'
import { answerAs, ready } from './sso.ts'
import { button, expectAt, openAs } from './steps.ts'
import { expect } from './test.ts'
import { refusal } from './words.ts'

export async function secondStep(page: Page, walk: Walker, person: Person) {
  const { w, language } = walk
  await openAs(page, person, '/account/2fa')
  await page.getByRole('switch', { name: w('two_factor.switch') }).click()
  const key = page.locator('code').first()
  const codes = authenticatorApp((await key.innerText()).replaceAll(' ', ''))
  await walk.late(60 * after.minutes, async () => {
    await typeCode(page, codes.next(), w('two_factor.enter'))
    await walk.toldByToast(refusal(language, 'two_factor_not_begun'))
    await expect(page.getByText(w('two_factor.is_off'))).toBeVisible()
  })
  await walk.empty()

  const guarded = await withSecondFactor(person)
  await walk.signIn(guarded)
  await expectAt(page, '/login/otp')
  await walk.late(10 * after.minutes, async () => {
    await typeCode(page, guarded.app.next(), w('two_factor.otp.code'))
    await walk.toldByToast(refusal(language, 'challenge_expired'))
    await expectAt(page, '/login')
    await walk.out()
  })
  await walk.signIn(guarded)
  await expectAt(page, '/login/otp')
  await walk.empty()
}

export async function socialSignIn(page: Page, walk: Walker) {
  const { w, language } = walk
  const email = freshAddress()
  await page.goto('/login')
  await provider(page).click()
  await walk.late(10 * after.minutes, async () => {
    await beSomeone(page, { email })
    await walk.toldByToast(w('auth.sign_in.error.social_expired'))
    await expectAt(page, '/login')
    await walk.out()
  })
  await walk.lateAt('/api/auth', 2 * after.minutes, async () => {
    await page.goto('/login')
    await provider(page).click()
    await beSomeone(page, { email })
    await walk.told(w('social.failed'), refusal(language, 'link_expired'))
  })
  await walk.out()
  await walk.link(w('social.back')).click()
  await provider(page).click()
  await beSomeone(page, { email })
  await walk.toPlans()
  await walk.empty()
}

export async function singleSignOn(page: Page, walk: Walker) {
  const { w, language } = walk
  const { domain } = await ready({}, walk.at)
  const email = `ida@${domain}`
  const begin = async () => {
    await page.goto(`/login/saml?domain=${domain}`)
    await button(page, w('sso.start.go_to', { domain })).click()
    await page.waitForURL(/\/identity\/saml\//)
  }
  await begin()
  await walk.late(10 * after.minutes, async () => {
    await answerAs(page, { email })
    await walk.told(w('sso.start.begin_text'))
    await walk.out()
  })
  await walk.link(w('sso.start.back')).click()
  await expectAt(page, '/login')
  await walk.lateAt('/auth/saml/callback', 2 * after.minutes, async () => {
    await begin()
    await answerAs(page, { email })
    await walk.told(w('sso.callback.failed'), refusal(language, 'sso_failed'))
  })
  await walk.out()
  await begin()
  await answerAs(page, { email })
  await expectAt(page, '/welcome')
  await walk.empty()
}

export async function passkey(page: Page, walk: Walker, person: Person) {
  const { w, language } = walk
  await withoutOffer(page)
  const device = await addAuthenticator(page)
  await openAs(page, person, '/account/profile')
  const section = page.getByRole('region', { name: w('account.passkeys.title') })
  const add = section.getByRole('button', { name: w('account.passkeys.add') })
  await walk.lateAt('/api/user/passkeys', 5 * after.minutes, async () => {
    await add.click()
    await walk.toldByToast(refusal(language, 'passkey_expired'))
    await expect(section.getByText(w('account.passkeys.none'))).toBeVisible()
  })
  await device.forget()
  await add.click()
  const named = page.getByRole('dialog', { name: w('account.passkeys.new_title') })
  await named.getByRole('button', { name: w('account.passkeys.save') }).click()
  await expect(named).toBeHidden()
  await walk.empty()

  await page.goto('/login')
  await walk.lateAt('/api/auth/passkey', 5 * after.minutes, async () => {
    await button(page, w('auth.sign_in.passkey')).click()
    await walk.toldByToast(refusal(language, 'passkey_expired'))
    await expectAt(page, '/login')
    await walk.out()
  })
  await button(page, w('auth.sign_in.passkey')).click()
  await expectAt(page, '/dashboard')
}
