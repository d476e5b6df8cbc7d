import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/browser/axe.ts'
import { endSessionOnSubmit, openAs } from '../support/browser/session.ts'
import { type Mail, waitForMails } from '../support/mail.ts'
import { button, field, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { signIn } from '../support/pages/sign-in.ts'
import {
  createOnboardedPerson,
  createUnverifiedPerson,
  demoEmail,
  signInByApi,
} from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const support = 'support@plinth.example'
/** The mail to support from this person. */
async function mailFrom(email: string, after = '0'): Promise<Mail> {
  const mails = await waitForMails(support, after)
  return mails.find(({ text }) => text.includes(email)) ?? mailFrom(email, mails[0].id)
}
const consent = (page: Page) => page.getByRole('switch', { name: 'Let support sign in as you' })

test('[route:/help] [screen:help.banner] [screen:help.form] [call:POST /api/utility/mail] a message reaches support once', async ({
  page,
}) => {
  const person = await createOnboardedPerson()
  await openAs(page, person, '/dashboard')
  await page.getByRole('link', { name: 'Help' }).click()
  await expectPath(page, '/help')
  await expect(page.getByText(`We’ll reply to ${person.email}.`)).toBeVisible()
  await expectAccessible(page, 'help')
  await button(page, 'Send message').click()
  await expect(page.getByText('Please enter a message')).toBeVisible()

  const message = `The list stays empty.\nSince ${person.email} signed in.`
  await field(page, 'Message').fill(message)
  await page.reload()
  await expect(field(page, 'Message')).toHaveValue(message)
  await button(page, 'Send message').dblclick()
  await expect(toast(page, 'We’ve sent your message to support')).toBeVisible()
  await expect(page.getByText('Message sent')).toBeVisible()
  await expectAccessible(page, 'a sent message')
  const mail = await mailFrom(person.email)
  expect(mail.subject).toBe('Support request from Mara Okafor')
  expect(mail.text).toContain('The list stays empty.')
  await button(page, 'Send another message').click()
  await expect(field(page, 'Message')).toHaveValue('')
})

test('[screen:help.support-switch] [call:PATCH /api/user {support_enabled}] the support consent is the same setting as in the profile', async ({
  page,
}) => {
  await openAs(page, await createOnboardedPerson(), '/help')
  await expect(consent(page)).not.toBeChecked()
  const saved = page.waitForResponse(answer => answer.request().method() === 'PATCH')
  await consent(page).click()
  expect((await saved).ok()).toBe(true)
  await page.goto('/account/profile')
  await expect(consent(page)).toBeChecked()
})

test('[error:401] a message survives an expired session; a person without access is sent elsewhere', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  const person = await signInByApi(demoEmail('developer'))
  await openAs(page, person, '/help')
  await field(page, 'Message').fill('Words that took a while')
  await endSessionOnSubmit(page, person)
  await button(page, 'Send message').click()
  await expectPath(page, '/login')
  await signIn(page, person)
  await expectPath(page, '/help')
  await expect(field(page, 'Message')).toHaveValue('Words that took a while')

  await openAs(page, await createUnverifiedPerson(), '/help')
  await expectPath(page, '/signup/verify')
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
  test('[screen:help.form] [i18n:locale] a message to support', async ({ page }) => {
    const person = await createOnboardedPerson({ language: 'de' })
    await openAs(page, person, '/help')
    await field(page, 'Nachricht').fill('Die Liste bleibt leer.')
    await expectAccessible(page, 'help in German')
    await page.getByRole('button', { name: 'Nachricht senden' }).click()
    await expect(page.getByText('Nachricht gesendet')).toBeVisible()
    expect((await mailFrom(person.email)).text).toContain('Die Liste bleibt leer.')
  })
})
