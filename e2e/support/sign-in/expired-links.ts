import type { Page } from '@playwright/test'
import { callApi } from '../api.ts'
import { openAs } from '../browser/session.ts'
import { waitForLink } from '../mail.ts'
import { button, field, passwordField } from '../pages/elements.ts'
import { expectPath } from '../pages/expectations.ts'
import {
  createOnboardedPerson,
  createUnverifiedPerson,
  newEmail,
  type Person,
  password,
} from '../people/people.ts'
import { ms } from '../server/server-clock.ts'
import { expect } from '../test.ts'
import { isSessionActive, requestLink, type Visitor } from './visitor.ts'

export async function expiredVerification(page: Page, visitor: Visitor) {
  const { t } = visitor
  const person = await createUnverifiedPerson(visitor.personOptions)
  const { url, mail } = await waitForLink(person.email)
  await visitor.withClockAhead(24 * ms.hours, async () => {
    await openAs(page, person, url)
    await button(page, t('auth.verify.confirm_button')).click()
    await visitor.expectMessage(t('auth.verify.expired'), t('auth.verify.expired_text'))
    const session = await callApi<{ verified: boolean }>('GET', '/api/auth', {
      token: person.user.token,
      serverUrl: visitor.serverUrl,
    })
    expect(session.data.verified).toBe(false)
    await button(page, t('auth.verify.resend')).click()
    await page.goto((await waitForLink(person.email, mail.id)).url)
    await button(page, t('auth.verify.confirm_button')).click()
    await visitor.expectPlanPage()
  })
  await visitor.clearBrowser()
}

export async function expiredMagicLink(page: Page, visitor: Visitor, person: Person) {
  const { t } = visitor
  await requestLink(visitor, '/api/auth/magic', person.email)
  const { url } = await waitForLink(person.email, person.lastMail, '/magic')
  // Open the page before the link expires.
  await page.goto(url)
  await expect(page.getByText(t('auth.magic.as', { email: person.email }))).toBeVisible()
  await visitor.withClockAhead(10 * ms.minutes, async () => {
    await button(page, t('auth.magic.button')).click()
    await visitor.expectMessageTwice(url, t('auth.magic.invalid'), t('auth.link.dead'))
    await visitor.link(t('auth.link.to_sign_in')).click()
    await expectPath(page, '/login')
  })
}

export async function expiredReset(page: Page, visitor: Visitor, person: Person) {
  const { t } = visitor
  await requestLink(visitor, '/api/auth/password/reset/request', person.email)
  const { url } = await waitForLink(person.email, person.lastMail, '/resetpassword')
  await page.goto(url)
  const chosenPassword = 'tall-blue-harbour-42'
  await passwordField(page, t('auth.reset.password')).fill(chosenPassword)
  await passwordField(page, t('auth.confirm_password')).fill(chosenPassword)
  await visitor.withClockAhead(30 * ms.minutes, async () => {
    await button(page, t('auth.reset.button')).click()
    await visitor.expectMessageTwice(url, t('auth.reset.expired'), t('auth.link.dead'))
    const body = { email: person.email, password: chosenPassword }
    expect((await callApi('POST', '/api/auth', { body, serverUrl: visitor.serverUrl })).status).toBe(422)
    await visitor.link(t('auth.reset.again')).click()
    await expectPath(page, '/forgotpassword')
  })
}

export async function expiredInvite(page: Page, visitor: Visitor, owner: Person) {
  const { t, serverUrl } = visitor
  const email = newEmail('late')
  const { token } = owner.user
  await callApi('POST', '/api/invite', { token, body: { email, permission: 'user' }, serverUrl })
  const { url } = await waitForLink(email)
  await page.goto(url)
  await field(page, t('auth.first_name')).fill('Tomas')
  await field(page, t('auth.last_name')).fill('Ribeiro')
  await passwordField(page, t('auth.password')).fill(password)
  await passwordField(page, t('auth.confirm_password')).fill(password)
  await visitor.withClockAhead(7 * ms.days, async () => {
    await button(page, t('links.invite.button')).click()
    await visitor.expectMessageTwice(url, t('links.invite.gone'), t('links.invite.gone_text'))
    await visitor.link(t('auth.sign_up.sign_in')).click()
    await expectPath(page, '/login')
    expect((await callApi('POST', '/api/auth', { body: { email, password }, serverUrl })).status).toBe(422)
  })
}

export async function expiredEmailChange(page: Page, visitor: Visitor, person: Person) {
  const { t, serverUrl } = visitor
  const email = newEmail('moved')
  const { token } = person.user
  await callApi('PATCH', '/api/user', { token, body: { email }, serverUrl })
  const { url, mail } = await waitForLink(email)
  const undo = await waitForLink(person.email, person.lastMail, '/signin/undo')
  await visitor.withClockAhead(24 * ms.hours, async () => {
    await openAs(page, person, url)
    await button(page, t('links.new_address.confirm_button')).click()
    await visitor.expectMessage(t('auth.verify.expired'), t('auth.verify.expired_text'))
    expect((await callApi('POST', '/api/auth', { body: { email, password }, serverUrl })).status).toBe(422)
    await button(page, t('auth.verify.resend')).click()
    await page.goto((await waitForLink(email, mail.id)).url)
    await button(page, t('links.new_address.confirm_button')).click()
    await expectPath(page, '/account/profile')
  })
  await visitor.clearBrowser()
  await page.goto(undo.url)
  await visitor.withClockAhead(9 * ms.days, async () => {
    await button(page, t('links.undo_email.button')).click()
    await visitor.expectMessage(t('links.undo_email.dead'), t('links.undo_email.dead_text'))
    expect((await callApi('POST', '/api/auth', { body: { email, password }, serverUrl })).status).toBe(200)
    await visitor.link(t('auth.link.to_sign_in')).click()
    await expectPath(page, '/login')
  })
}

export async function expiredNewDeviceLink(page: Page, visitor: Visitor) {
  const { t, serverUrl } = visitor
  const person = await createOnboardedPerson(visitor.personOptions)
  const body = { email: person.email, password }
  const { data } = await callApi<{ token: string }>('POST', '/api/auth', {
    body,
    from: '198.51.100.7',
    serverUrl,
  })
  const { url } = await waitForLink(person.email, person.lastMail, '/signin/end')
  await page.goto(url)
  // The session stays active while it is used; the link in the mail is valid for a week.
  await visitor.setOffset(6 * ms.days)
  expect(await isSessionActive(visitor, data.token)).toBe(true)
  await visitor.withClockAhead(7 * ms.days, async () => {
    await button(page, t('links.end_sign_in.button')).click()
    await visitor.expectMessage(t('links.end_sign_in.dead'), t('links.end_sign_in.dead_text'))
    expect(await isSessionActive(visitor, data.token)).toBe(true)
    await visitor.link(t('links.end_sign_in.devices')).click()
    await expectPath(page, '/login')
  })
}
