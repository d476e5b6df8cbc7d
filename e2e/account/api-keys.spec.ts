import type { Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { endSessionOnSubmit, openAs } from '../support/browser/session.ts'
import { button, field, heading, passwordField, toast } from '../support/pages/elements.ts'
import { expectNoSidewaysScroll, expectPath } from '../support/pages/expectations.ts'
import { createOnboardedPerson, demoEmail, type Person, signInByApi } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const list = '/account/apikeys'
const keyPattern = /^plinth_test_[0-9A-Za-z]{38}$/
type CreatedKey = { id: string; key: string; full_key: string }

/** Creates a key by the API; revoked keys do not count towards the limit. */
async function createKey({ user }: Person, name: string, { revoked = false } = {}): Promise<CreatedKey> {
  const body = { name, scope: ['event.create', 'usage.create'] }
  const { data, message } = await callApi<CreatedKey>('POST', '/api/key', { token: user.token, body })
  if (!data) throw new Error(message)
  if (revoked) await callApi('PATCH', `/api/key/${data.id}`, { token: user.token, body: { active: false } })
  return data
}
const row = (page: Page, name: string) => page.getByRole('row', { name })
async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('[route:/account/apikeys] [screen:apikeys.full-key-once] [screen:apikeys.actions] a key is created, revealed, edited, revoked and deleted', async ({
  page,
  context,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const person = await createOnboardedPerson()
  await openAs(page, person, list)
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible()
  await expectAccessible(page, 'no keys')

  await page.getByRole('link', { name: 'Create API key' }).click()
  await expectPath(page, '/account/apikeys/create')
  await expectAccessible(page, 'the form')
  await button(page, 'Create key').click()
  await expect(page.getByText('Please provide a descriptive name for your key')).toBeVisible()
  await expect(page.getByText('Please select at least one scope')).toBeVisible()
  await expect(field(page, 'Name')).toBeFocused()
  await field(page, 'Name').fill('Warehouse sync')
  await page.getByRole('checkbox', { name: /Send events/ }).check()
  // A double click creates one key.
  await button(page, 'Create key').dblclick()
  const dialog = page.getByRole('dialog', { name: 'Your new key, “Warehouse sync”' })
  const shown = dialog.getByText(keyPattern)
  const key = (await shown.textContent()) ?? ''
  await expectPath(page, list)
  await expectAccessible(page, 'the new key')

  // Escape, the back button and closing the tab do not lose the key.
  await page.keyboard.press('Escape')
  await expect(dialog.getByText('Close without copying the key?')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(shown).toBeVisible()
  await page.goBack()
  await expectPath(page, list)
  await expect(shown).toBeVisible()
  const prevented = await page.evaluate(
    () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })),
  )
  expect(prevented).toBe(true)
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await dialog.getByRole('button', { name: 'I’ve stored it' }).click()
  await expect(dialog).toBeHidden()
  await expect(heading(page, 'API keys')).toBeFocused()
  expect(await page.content()).not.toContain(key)
  await expect(page.getByText('Showing 1–1 of 1')).toBeVisible()

  // The key works, the list shows its last use, and the plan allows no second key.
  await expect(row(page, 'Warehouse sync')).toContainText('Never used')
  const sent = await callApi('POST', '/api/event', { token: key, body: { name: 'parcel_sent' } })
  expect(sent.status).toBe(200)
  await page.reload()
  await expect(row(page, 'Warehouse sync')).toContainText('Used just now')
  await expect(page.getByText('Your plan’s 1 API key is in use')).toBeVisible()
  await expectAccessible(page, 'the list')

  await row(page, 'Warehouse sync').getByRole('button', { name: 'Reveal Warehouse sync' }).click()
  const revealed = page.getByRole('dialog', { name: 'The key “Warehouse sync”' })
  await expect(revealed.getByText(key)).toBeVisible()
  await expectAccessible(page, 'a revealed key')
  await page.keyboard.press('Escape')

  await chooseAction(page, 'Warehouse sync', 'Edit')
  await expectAccessible(page, 'editing')
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Warehouse sync')
  await field(page, 'Name').fill('Renamed')
  await page.getByRole('checkbox', { name: /Report usage/ }).check()
  await button(page, 'Save changes').click()
  await expect(toast(page, 'Key saved')).toBeVisible()
  await expectPath(page, list)

  await chooseAction(page, 'Renamed', 'Revoke')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await chooseAction(page, 'Renamed', 'Revoke')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await expect(toast(page, 'Renamed revoked')).toBeVisible()
  await expect(row(page, 'Renamed').getByText('Revoked', { exact: true })).toBeVisible()
  expect((await callApi('POST', '/api/event', { token: key, body: { name: 'parcel_sent' } })).status).toBe(
    401,
  )
  await expect(page.getByRole('link', { name: 'Create API key' })).toBeVisible()

  await chooseAction(page, 'Renamed', 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete key' }).click()
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create API key' })).toBeFocused()
})

test('[screen:apikeys.table] many keys with long and right-to-left names are searched and paged in German on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const person = await createOnboardedPerson({ language: 'de' })
  const long = 'W'.repeat(60)
  await createKey(person, 'Zebra', { revoked: true })
  for (let n = 1; n <= 19; n++) await createKey(person, `Alt ${n}`, { revoked: true })
  await createKey(person, long, { revoked: true })
  const active = await createKey(person, 'مزامنة المستودع')
  await openAs(page, person, list)
  await expect(page.getByText('1–20 von 22')).toBeVisible()
  await expect(page.getByText('Der eine API-Schlüssel Ihres Tarifs ist vergeben')).toBeVisible()
  await expect(row(page, 'مزامنة المستودع').getByText('Aktiv', { exact: true })).toBeVisible()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
  await expectAccessible(page, 'a list in German')
  // Nothing covers the last row: on a phone the feedback button is in the drawer.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect(page.getByRole('button', { name: /^Aktionen für/ }).last()).toBeInViewport({ ratio: 1 })
  await expect(button(page, 'Feedback geben')).toHaveCount(0)
  await button(page, 'Weiter').click()
  await expect(page.getByText('21–22 von 22')).toBeVisible()
  await button(page, 'Zurück').click()
  await expect(page.getByText('1–20 von 22')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('21–22 von 22')).toBeVisible()

  await page.getByRole('searchbox', { name: 'Schlüssel suchen' }).fill('zebra')
  await expect(row(page, 'Zebra')).toBeVisible()
  await expect(page.getByText('1–1 von 1')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Zebra auswählen' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Löschen' }).click()
  await expectAccessible(page, 'a question in German')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Schlüssel löschen' }).click()
  await expect(page.getByText('Kein Schlüssel passt zu')).toBeVisible()
  await button(page, 'Suche leeren').click()
  await expect(page.getByText('1–20 von 21')).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Schlüssel suchen' })).toBeFocused()

  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/account/apikeys/edit?id=${active.id}`)
  const masked = page.getByText(active.key)
  await expect(masked).toBeVisible()
  expect(await masked.evaluate(key => key.getClientRects().length), 'lines of a key').toBe(1)
  await expectNoSidewaysScroll(page)
})

test('[error:apikey-unknown] a key deleted in another tab shows a message; editing it leads to /404', async ({
  page,
  context,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(404)
  const person = await createOnboardedPerson()
  const [deleted, remaining] = [
    await createKey(person, 'Gone', { revoked: true }),
    await createKey(person, 'Left', { revoked: true }),
  ]
  await openAs(page, person, list)
  await expect(row(page, 'Gone')).toBeVisible()
  const other = await context.newPage()
  await other.goto(`/account/apikeys/edit?id=${deleted.id}`)
  await expect(other.getByText('This key is revoked')).toBeVisible()
  await other.getByRole('button', { name: 'Delete key' }).click()
  await other.getByRole('alertdialog').getByRole('button', { name: 'Delete key' }).click()
  await expectPath(other, list)
  await expect(row(other, 'Left')).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 2 keys' }).click()
  await expect(toast(page, 'Already deleted')).toBeVisible()
  await expect(row(page, 'Gone')).toBeHidden()
  await expect(row(page, 'Left')).toBeVisible()
  await other.goto(`/account/apikeys/edit?id=${deleted.id}`)
  await expectPath(other, '/404')
  await expect(heading(other, 'Page not found')).toBeVisible()
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expectAccessible(other, 'a page that is not there, inside the frame')
  expect((await callApi('GET', `/api/key/${remaining.id}`, { token: person.user.token })).status).toBe(200)
})

test('[route:/account/apikeys/create] a session that ends while a key is created loses no input', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/apikeys/create')
  await field(page, 'Name').fill('Typed before')
  await page.getByRole('checkbox', { name: /Report usage/ }).check()
  await page.getByLabel('Expires').selectOption('In 90 days')
  await endSessionOnSubmit(page, person)
  await button(page, 'Create key').click()
  await expectPath(page, '/login')
  await field(page, 'Email').fill(person.email)
  await passwordField(page, 'Password').fill(person.password)
  await button(page, 'Login').click()
  await expectPath(page, '/account/apikeys/create')
  await expect(field(page, 'Name')).toHaveValue('Typed before')
  await expect(page.getByRole('checkbox', { name: /Report usage/ })).toBeChecked()
  await expect(page.getByLabel('Expires')).toHaveValue('90')
  await button(page, 'Create key').click()
  await expect(page.getByRole('dialog', { name: 'Your new key, “Typed before”' })).toBeVisible()
})

test('[role:developer-only] a developer manages keys; admins and users have no link and no access', async ({
  page,
  openOtherBrowser,
}) => {
  await openAs(page, await signInByApi(demoEmail('developer')), '/account')
  await page.getByRole('link', { name: 'Manage API keys' }).click()
  await expectPath(page, list)
  await expect(page.getByRole('link', { name: 'Create API key' })).toBeVisible()
  for (const role of ['admin', 'user']) {
    const theirs = await openOtherBrowser()
    await openAs(theirs, await signInByApi(demoEmail(role)), '/account')
    await expect(theirs.getByRole('link', { name: 'Edit profile' })).toBeVisible()
    await expect(theirs.getByRole('link', { name: /API keys/ })).toHaveCount(0)
    for (const path of [list, '/account/apikeys/create', '/account/apikeys/edit?id=1']) {
      await theirs.goto(path)
      await expectPath(theirs, '/dashboard')
    }
  }
})

test('[call:GET /api/docs] the API guide shows example calls that can be copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, await createOnboardedPerson(), list)
  // Wait for the empty state: it replaces the loading list and has its own link.
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Read the API guide' }).click()
  await expect(page.getByRole('heading', { name: 'Calling with an API key' })).toBeInViewport()
  const event = page.locator('.code', { hasText: 'Send an event' })
  await event.getByRole('button', { name: /^Copy/ }).click()
  await expect(event.getByText('Copied')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^curl -X POST \S+\/api\/event /)
  await expectAccessible(page, 'the API guide')
})
