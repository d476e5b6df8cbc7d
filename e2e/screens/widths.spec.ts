import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { expectNoOverflow } from '../support/browser/overflow.ts'
import { openAs } from '../support/browser/session.ts'
import { navigate, waitForScreen } from '../support/pages/screens.ts'
import { createMember } from '../support/people/members.ts'
import { type Person, signInByApi, updateUser } from '../support/people/people.ts'
import { createSubscriber } from '../support/people/subscribers.ts'
import { expect, test } from '../support/test.ts'
import { textsOf } from '../support/texts.ts'

/** The longest values that the contract takes, each one unbroken word. */
const longName = 'Donaudampfschifffahrt'.repeat(5).slice(0, 100)
function longEmail(): string {
  const id = randomUUID().replaceAll('-', '')
  return `${id.repeat(2)}@${'engineering'.repeat(5)}.${'northquay'.repeat(6)}.${'g'.repeat(63)}.example`.padEnd(
    254,
    'x',
  )
}

/** An owner on a paid plan with an invoice, whose team, key and devices have the longest names. */
async function ownerWithLongNames(language: string): Promise<Person> {
  const owner = await createSubscriber({ plan: 'startup', language })
  const { token } = owner.user
  await updateUser(owner.user, { first_name: longName, last_name: longName, account_name: longName })
  const colleague = await createMember(owner, 'admin')
  await updateUser(colleague.user, { first_name: longName, last_name: longName })
  const invite = { email: longEmail(), permission: 'admin' }
  expect((await callApi('POST', '/api/invite', { token, body: invite })).status).toBeLessThan(300)
  await callApi('POST', '/api/key', { token, body: { name: longName, scope: ['event.create'] } })
  await signInByApi(owner.email, owner.password)
  return signInByApi(owner.email, owner.password)
}

/** The demo data of the dashboard, with the longest values in it. */
async function withLongDemoUsers(page: Page): Promise<void> {
  await page.route('**/api/demo', async route => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: { users: object[] } } // as: the reply of this endpoint
    const users = body.data.users.map(user => ({ ...user, name: longName, email: longEmail() }))
    await route.fulfill({ response, json: { ...body, data: { ...body.data, users } } })
  })
}

for (const language of ['en', 'de'] as const) {
  test.describe(language, () => {
    test.use({ locale: language })

    test('tables with the longest names fit every width from 320 to 2560 pixels', async ({ page }) => {
      test.slow()
      const t = textsOf(language)
      await withLongDemoUsers(page)
      await openAs(page, await ownerWithLongNames(language), '/dashboard')
      await waitForScreen(page, language)
      for (const path of [
        '/dashboard',
        '/account/users',
        '/account/apikeys',
        '/account/audit',
        '/account/profile',
      ]) {
        await navigate(page, path, language)
        await expect(
          page
            .locator('.card, .section')
            .filter({ hasText: longName.slice(0, 20) })
            .first(),
        ).toBeVisible()
        await expectNoOverflow(page, path)
      }
      await navigate(page, '/account/billing', language)
      await page.getByRole('tab', { name: t('billing.tabs.invoices') }).click()
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      await expectNoOverflow(page, 'the invoices')
    })
  })
}
