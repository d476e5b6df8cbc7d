import type { Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { endSessionOnSubmit, openAs } from '../support/browser/session.ts'
import { waitForMail } from '../support/mail.ts'
import { heading } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { signIn } from '../support/pages/sign-in.ts'
import {
  createOnboardedPerson,
  createPersonWithPlan,
  createVerifiedPerson,
  demoEmail,
  demoPassword,
  signInByApi,
} from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const toggle = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })
const path = '/account/notifications'
const savedToast = (page: Page) =>
  page.waitForResponse(
    answer => answer.request().method() === 'PATCH' && answer.url().endsWith('/api/notification'),
  )

test('[route:/account/notifications] [screen:notifications.switches] [call:PATCH /api/notification] an owner changes notifications; they are kept, and a wanted mail arrives', async ({
  page,
}) => {
  const person = await createOnboardedPerson()
  await openAs(page, person, path)
  for (const name of ['New sign-in', 'Plan changed', 'Card changed', 'Invite accepted'])
    await expect(toggle(page, name)).toBeChecked()
  await expectAccessible(page, 'notifications')

  const enabledTypes = async () => {
    const { data } = await callApi<{ name: string; active: boolean }[]>('GET', '/api/notification', {
      token: person.user.token,
    })
    return data.filter(({ active }) => !active).map(({ name }) => name)
  }
  // A double click toggles twice, and the saved value is the one shown.
  await toggle(page, 'Card changed').dblclick()
  await toggle(page, 'New sign-in').click()
  await expect.poll(enabledTypes).toEqual(['new_signin'])
  await page.reload()
  await expect(toggle(page, 'New sign-in')).not.toBeChecked()
  await expect(toggle(page, 'Card changed')).toBeChecked()

  await toggle(page, 'New sign-in').press('Space')
  await expect.poll(enabledTypes).toEqual([])
  const body = { email: person.email, password: person.password }
  await callApi('POST', '/api/auth', { body, from: '198.51.100.77' })
  expect((await waitForMail(person.email, person.lastMail)).subject).toBe('A new device signed in')
})

test('[role:user-any] [error:401] a user has one switch; a sign-in after an expired session returns to it', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  const person = await signInByApi(demoEmail('user'))
  await openAs(page, person, '/account')
  await page.getByRole('link', { name: 'Manage notifications' }).click()
  await expectPath(page, path)
  await expect(page.getByRole('switch')).toHaveCount(1)
  await endSessionOnSubmit(page, person)
  await toggle(page, 'New sign-in').click()
  await expectPath(page, '/login')
  await signIn(page, { ...person, password: demoPassword })
  await expectPath(page, path)
  await expect(toggle(page, 'New sign-in')).toBeChecked()
})

test('[state:access.no-plan] an unfinished sign-up leads away from the screen; an unfinished onboarding does not', async ({
  page,
}) => {
  await openAs(page, await createVerifiedPerson(), path)
  await expectPath(page, '/signup/plan')
  await openAs(page, await createPersonWithPlan(), path)
  await expect(heading(page, 'Notifications')).toBeVisible()
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
  test('[screen:notifications.switches] [i18n:locale] notifications are changed', async ({ page }) => {
    await openAs(page, await createOnboardedPerson({ language: 'de' }), path)
    const off = savedToast(page)
    await toggle(page, 'Tarif geändert').click()
    expect((await off).ok()).toBe(true)
    await expect(toggle(page, 'Tarif geändert')).not.toBeChecked()
    await expectAccessible(page, 'notifications in German')
  })
})
