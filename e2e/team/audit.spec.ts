import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForLink } from '../support/mail.ts'
import { button, heading, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { createOnboardedPerson, newEmail, type Person, password } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const rows = (page: Page) => page.getByRole('table').locator('tbody tr')

async function saveDownload(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

/** An owner with some audit entries, the newest of an invite. */
async function createOwnerWithAuditLog(language = 'en') {
  const person = await createOnboardedPerson({ language })
  const { token } = person.user
  const invited = newEmail('ines')
  await callApi('POST', '/api/invite', { token, body: { email: invited, permission: 'admin' } })
  return { person, invited }
}

test('an owner reads the audit log, filters it and downloads it as a file', async ({ page }) => {
  const { person, invited } = await createOwnerWithAuditLog()
  await openAs(page, person, '/account/users')
  await page.getByRole('link', { name: 'Audit log' }).click()
  await expectPath(page, '/account/audit')
  await expect(heading(page, 'Audit log')).toBeVisible()
  const newest = rows(page).first()
  await expect(newest).toContainText(`Invited ${invited} as Administrator`)
  await expect(newest).toContainText('Mara Okafor')
  await expect(newest).toContainText(person.email)
  await expectAccessible(page, 'audit log')

  await button(page, 'Everything').click()
  await page.getByRole('menuitemcheckbox', { name: 'Plan' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(newest).toContainText('Changed the plan to Free')
  await expect(page).toHaveURL(/what=plan/)

  const file = await saveDownload(page, () => button(page, 'Export CSV').click())
  await expect(toast(page, 'Audit log downloaded')).toBeVisible()
  expect(file.name).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)
  expect(file.text).toContain('"plan.changed","free"')
  expect(file.text).not.toContain(invited)

  // The address holds the filter: the back button and a reload keep it.
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await page.goBack()
  await expect(newest).toContainText('Exported the audit log')

  await page.getByRole('searchbox', { name: 'Search users' }).fill('nobody')
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible()
  await expectAccessible(page, 'audit log, nothing found')
  await button(page, 'Clear the filters').click()
  await expect(newest).toContainText('Exported the audit log')

  await page.getByLabel('From', { exact: true }).fill('2099-01-01')
  await expect(rows(page)).toHaveCount(0)
  await page.getByLabel('From', { exact: true }).fill('')
  await page.getByLabel('Until', { exact: true }).fill('2099-01-01')
  await expect(newest).toContainText('Exported the audit log')
  await page.getByRole('button', { name: 'When' }).click()
  await expect(newest).toContainText('Changed the plan to Free')
})

test('the audit log in German on a phone', async ({ openOtherBrowser }) => {
  const { person, invited } = await createOwnerWithAuditLog('de')
  const page = await openOtherBrowser({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
  await openAs(page, person, '/account/audit')
  await expect(heading(page, 'Protokoll')).toBeVisible()
  await expect(rows(page).first()).toContainText(`${invited} eingeladen (Rolle: Administrator)`)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wide).toBeLessThanOrEqual(0)
  await expectAccessible(page, 'Protokoll')
  const file = await saveDownload(page, () => button(page, 'Als CSV exportieren').click())
  expect(file.name).toMatch(/^protokoll-/)
})

test('a member without access has no link to the log and can download their own data', async ({ page }) => {
  const owner = await createOnboardedPerson()
  const email = newEmail('user')
  await callApi('POST', '/api/invite', { token: owner.user.token, body: { email, permission: 'user' } })
  const { token, mail } = await waitForLink(email)
  const body = { first_name: 'Tomas', last_name: 'Ribeiro', email, password, invite_id: token }
  const { data: user } = await callApi<Person['user']>('POST', '/api/user', { body })
  const person = { email, password, lastMail: mail.id, user: { ...user, onboarded: true } }
  await callApi('PATCH', '/api/user', { token: user.token, body: { onboarded: true } })
  await openAs(page, person, '/account/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Audit log' })).toHaveCount(0)
  const file = await saveDownload(page, () => button(page, 'Download your data').click())
  await expect(toast(page, 'Your data was downloaded')).toBeVisible()
  const data = JSON.parse(file.text)
  expect(data.user.email).toBe(person.email)
  expect(data.memberships).toHaveLength(1)
  expect(file.text).not.toContain(user.token)
  expect(file.text).not.toContain(owner.email)
  await page.goto('/account/audit')
  await expect(heading(page, 'Audit log')).toHaveCount(0)
})
