import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/browser/axe.ts'
import { createImageFile } from '../support/browser/image-file.ts'
import { endSessionOnSubmit, openAs } from '../support/browser/session.ts'
import { button, field, heading, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { signIn } from '../support/pages/sign-in.ts'
import { createOnboardedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const group = (page: Page, name = 'Picture') => page.getByRole('group', { name })
const choose = (page: Page, file: ReturnType<typeof createImageFile>, name?: string) =>
  group(page, name).locator('input[type=file]').setInputFiles(file)
const save = (page: Page) => button(page, 'Save changes').first().click()
const menuAvatar = (page: Page) => button(page, 'Your menu').locator('img')
/** Playwright's trace requests images again, which the content policy forbids to scripts. */
const traceRequest = /^Connecting to 'blob:/
const drawn = (page: Page) =>
  menuAvatar(page).evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)

test('[rule:profile.avatar] [screen:profile.fields] [part:avatar] [call:multipart] a picture is previewed, then shown everywhere, then removed', async ({
  page,
  context,
  consoleGuard,
}) => {
  consoleGuard.allowMessage(traceRequest)
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/profile')
  await expect(button(page, 'Upload a picture')).toBeVisible()
  await choose(page, createImageFile())
  await expect(group(page).locator('img')).toHaveAttribute('src', /^blob:/)
  await expectAccessible(page, 'a chosen picture')
  await field(page, 'First name').fill('Maria')
  await save(page)
  await expect(toast(page, 'Profile saved')).toBeVisible()
  await expect(menuAvatar(page)).toHaveAttribute('src', /^\/api\/avatar\/[\w-]{43}\.png$/)
  await expect.poll(() => drawn(page)).toBe(256)

  // The button of the menu shows the picture, here and in another tab.
  const tab = await context.newPage()
  await tab.goto('/dashboard')
  await expect.poll(() => drawn(tab)).toBe(256)
  await button(tab, 'Your menu').click()
  await expect(tab.getByRole('menuitem', { name: 'Signout' })).toBeVisible()

  await page.reload()
  await expect(group(page).locator('img')).toHaveAttribute('src', /^\/api\/avatar\//)
  await button(page, 'Remove').first().click()
  await expect(group(page).locator('img')).toHaveCount(0)
  await save(page)
  await expect(toast(page, 'Profile saved')).toBeVisible()
  await expect(menuAvatar(page)).toHaveCount(0)
  await expect(menuAvatar(tab)).toHaveCount(0)
})

test('[rule:file.type] [rule:profile.avatar] a file that is not an image shows an error at its field and loses no input', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(415, 422)
  consoleGuard.allowMessage(traceRequest)
  await openAs(page, await createOnboardedPerson(), '/account/profile')
  await field(page, 'Last name').fill('O’Neil-Pérez')
  await choose(page, { name: 'me.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
  await expect(page.getByText('SVG+XML files are not accepted, PNG or JPEG only')).toBeVisible()

  // A file that the browser cannot draw is refused before the upload.
  await choose(page, { ...createImageFile(), buffer: Buffer.from('<svg onload="alert(1)"/>') })
  await expect(page.getByText('This picture can’t be read. Choose another one.')).toBeVisible()
  await expect(group(page).locator('img')).toHaveCount(0)
  await expectAccessible(page, 'a refused picture')

  await choose(page, { ...createImageFile(), buffer: createImageFile().buffer.subarray(0, 60) })
  await save(page)
  await expect(page.getByText(/^This picture can’t be read/)).toBeVisible()
  await expect(field(page, 'Last name')).toHaveValue('O’Neil-Pérez')

  await choose(page, createImageFile())
  await save(page)
  await expect(toast(page, 'Profile saved')).toBeVisible()
})

test('[error:401] a session that expires while the form is open loses no input', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/profile')
  await field(page, 'First name').fill('مَرْيَم بنت عبد الله')
  await endSessionOnSubmit(page, person)
  await save(page)
  await expectPath(page, '/login')
  await signIn(page, person)
  await expectPath(page, '/account/profile')
  await expect(field(page, 'First name')).toHaveValue('مَرْيَم بنت عبد الله')
  await save(page)
  await expect(toast(page, 'Profile saved')).toBeVisible()
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
  test('[rule:profile.avatar] [i18n:locale] a picture is chosen, saved and removed', async ({
    page,
    consoleGuard,
  }) => {
    consoleGuard.allowMessage(traceRequest)
    await openAs(page, await createOnboardedPerson({ language: 'de' }), '/account/profile')
    await choose(page, createImageFile(), 'Bild')
    await page.getByRole('button', { name: 'Änderungen speichern' }).first().click()
    await expect(page.getByText('Profil gespeichert').first()).toBeVisible()
    await expect(heading(page, 'Profil')).toBeVisible()
    await expectAccessible(page, 'the profile with a picture')
    await page.getByRole('button', { name: 'Entfernen' }).first().click()
    await expect(group(page, 'Bild').locator('img')).toHaveCount(0)
  })
})
