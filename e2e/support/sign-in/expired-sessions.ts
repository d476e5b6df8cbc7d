import type { Page } from '@playwright/test'
import { callApi } from '../api.ts'
import { openAs } from '../browser/session.ts'
import { heading, passwordField } from '../pages/elements.ts'
import { expectFitsAndAccessible, expectPath } from '../pages/expectations.ts'
import { enableTwoFactor } from '../people/authenticator-app.ts'
import {
  createOnboardedPerson,
  demoEmail,
  demoPassword,
  type Person,
  signInByApi,
  updateUser,
} from '../people/people.ts'
import { ms } from '../server/server-clock.ts'
import { expect } from '../test.ts'
import { isSessionActive, type Visitor } from './visitor.ts'

async function expectSessionExpired(page: Page, visitor: Visitor, person: Person) {
  await page.goto('/account/profile')
  await expectPath(page, '/login')
  await visitor.expectToast(visitor.t('global.error.session_title'))
  await visitor.expectSignedOut()
  expect(await isSessionActive(visitor, person.user.token)).toBe(false)
}

export async function expiredSessions(page: Page, visitor: Visitor, person: Person) {
  const { t, serverUrl } = visitor
  const { token } = person.user
  const isActive = () => isSessionActive(visitor, token)
  await openAs(page, person, '/dashboard')
  await expect(heading(page, t('dashboard.title'))).toBeVisible()
  // A session in use expires after 30 days.
  for (let days = 6; days < 30; days += 6) {
    await visitor.setOffset(days * ms.days)
    expect(await isActive()).toBe(true)
  }
  await visitor.setOffset(30 * ms.days - ms.minutes)
  expect(await isActive()).toBe(true)
  await visitor.leaveAndReturnLater(30 * ms.days, () => expectSessionExpired(page, visitor, person))

  const idle = await signInByApi(person.email, person.password, serverUrl)
  await openAs(page, { ...idle, user: { ...person.user, ...idle.user } }, '/dashboard')
  await expect(heading(page, t('dashboard.title'))).toBeVisible()
  await visitor.leaveAndReturnLater(7 * ms.days + ms.minutes, async () => {
    await expectSessionExpired(page, visitor, idle)
    await visitor.signIn(person)
    await expectPath(page, '/account/profile')
  })
  await visitor.clearBrowser()
}

export async function expiredStepUp(page: Page, visitor: Visitor, person: Person) {
  const { t } = visitor
  await openAs(page, person, '/account/2fa')
  await visitor.withClockAhead(10 * ms.minutes, async () => {
    await page.getByRole('switch', { name: t('two_factor.switch') }).click()
    const dialog = page.getByRole('dialog', { name: t('global.proof.title') })
    await expect(passwordField(page, t('global.proof.password'))).toBeFocused()
    await expectFitsAndAccessible(page, 'the password dialog for an old sign-in')
    await expect(page.getByText(t('two_factor.scan'))).toHaveCount(0)
    await passwordField(page, t('global.proof.password')).fill(person.password)
    await dialog.getByRole('button', { name: t('global.proof.button') }).click()
    await expect(page.getByText(t('two_factor.scan'))).toBeVisible()
  })
  await visitor.clearBrowser()
}

export async function expiredSupportSession(page: Page, visitor: Visitor, name: string) {
  const { t, serverUrl, language } = visitor
  const created = await enableTwoFactor(await signInByApi(demoEmail(name), demoPassword, serverUrl))
  await updateUser(created.user, { locale: language }, serverUrl)
  // The stored session determines the language until the server has answered.
  const master = { ...created, user: { ...created.user, locale: language } }
  const helped = await createOnboardedPerson(visitor.personOptions)
  await updateUser(helped.user, { support_enabled: true }, serverUrl)
  const createLink = async () => {
    const body = { email: helped.email }
    const { data } = await callApi<{ url: string }>('POST', '/api/impersonation', {
      token: master.user.token,
      body,
      serverUrl,
    })
    return data.url
  }
  const { token } = master.user
  const expiredLink = await createLink()
  // A session of a master expires after 15 minutes without use.
  for (const minutes of [10, 20, 29]) {
    await visitor.setOffset(minutes * ms.minutes)
    expect(await isSessionActive(visitor, token)).toBe(true)
  }
  await visitor.withClockAhead(30 * ms.minutes, async () => {
    await openAs(page, master, '/account')
    await page.goto(expiredLink)
    await expectPath(page, '/404')
    await expect(page.getByRole('heading', { level: 2, name: t('global.not_found.heading') })).toBeVisible()
    await expectFitsAndAccessible(page, 'an expired support link')
    await visitor.link(t('global.not_found.button')).click()
    await expectPath(page, '/dashboard')
  })
  await page.goto(await createLink())
  await expect(page.getByRole('complementary', { name: t('global.support.region') })).toBeVisible()
  await visitor.leaveAndReturnLater(30 * ms.minutes, async () => {
    await page.goto('/account/profile')
    await expectPath(page, '/login')
    await visitor.expectToast(t('global.support.ended'))
    await visitor.expectSignedOut()
  })
  const again = await signInByApi(demoEmail(name), demoPassword, serverUrl)
  expect(again.user).toMatchObject({ '2fa_required': true })
  await openAs(page, master, '/account')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await visitor.leaveAndReturnLater(45 * ms.minutes, () => expectSessionExpired(page, visitor, master))
}
