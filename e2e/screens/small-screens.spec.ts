import type { Locator, Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { openAs } from '../support/browser/session.ts'
import { button } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import {
  createOnboardedPerson,
  createUnverifiedPerson,
  demoEmail,
  signInByApi,
  updateUser,
} from '../support/people/people.ts'
import { createSubscriber } from '../support/people/subscribers.ts'
import { expect, test } from '../support/test.ts'

test.use({ viewport: { width: 320, height: 640 } })

async function expectNoOverflowAt320(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide, `${path} scrolls sideways`).toBeLessThanOrEqual(320)
}

type Visit = [string[], () => Promise<Parameters<typeof openAs>[1]>]

async function visitAll(page: Page, visits: Visit[]): Promise<void> {
  for (const [paths, person] of visits) {
    const someone = await person()
    for (const path of paths) {
      await openAs(page, someone, path)
      await expectNoOverflowAt320(page, path)
    }
  }
}

// accessibility.spec.ts checks all other screens.
for (const locale of ['en-GB', 'de-DE']) {
  test.describe(locale, () => {
    test.use({ locale })
    const language = locale.slice(0, 2)

    test('[nav:drawer] no screen with much content scrolls sideways at 320 pixels', async ({ page }) => {
      await visitAll(page, [
        [['/account/profile'], () => createUnverifiedPerson({ language })],
        [['/account', '/account/billing'], () => signInByApi(demoEmail('failed-payment'))],
        [['/account/users', '/account/users?search=nobody+at+all'], () => signInByApi(demoEmail('big-team'))],
      ])
    })
  })
}

test('in German no price of a plan change overflows its line at 320 pixels', async ({ page }) => {
  await openAs(page, await createSubscriber({ plan: 'scale', language: 'de' }), '/account/billing')
  await page.getByRole('radio', { name: /^Startup jährlich/ }).check()
  const due = page.getByRole('region', { name: 'Was Sie zahlen' })
  await expect(due).toContainText('−49,00')
  const over = await due.locator('dd').evaluateAll(amounts =>
    amounts
      .filter(amount => {
        const text = document.createRange()
        text.selectNodeContents(amount)
        const line = amount.parentElement?.getBoundingClientRect()
        return text.getBoundingClientRect().right > (line?.right ?? 0) + 0.5
      })
      .map(amount => amount.textContent),
  )
  expect(over).toEqual([])
})

test('a table without visible column headers is sorted by a select', async ({ page }) => {
  await openAs(page, await createOnboardedPerson(), '/dashboard')
  const names = page.getByRole('table').locator('tbody b')
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name, descending')
  await expectPath(page, /sort=-name/)
  const found = await names.allTextContents()
  expect(found).toEqual([...found].sort((a, b) => b.localeCompare(a)))
})

const longName = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

test('a name of one long word breaks no layout on the smallest phone and beside the content', async ({
  page,
}) => {
  const person = await createOnboardedPerson()
  await updateUser(person.user, { account_name: longName, last_name: longName })
  const again = await signInByApi(person.email, person.password)
  await visitAll(page, [
    [['/account', '/account/notifications', '/account/users', '/account/profile'], async () => again],
  ])
  await button(page, 'Open menu').click()
  await expectClipped(page.getByRole('dialog', { name: 'Menu' }), [`Mara ${longName}`, longName])
  await page.keyboard.press('Escape')
  await button(page, 'Your menu').click()
  await expectClipped(page.getByRole('menu'), [`Mara ${longName}`, longName])
  await page.keyboard.press('Escape')
  await button(page, 'Close account').first().click()
  await expectInside(page.getByRole('heading', { name: longName }))
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectInside(page.getByRole('navigation').getByText(longName))
})

test('[layout:breadcrumb] a long key name, also right-to-left, ends in an ellipsis and widens nothing', async ({
  page,
}) => {
  const person = await createOnboardedPerson()
  const { token } = person.user
  const body = { name: longName, scope: ['event.create'] }
  const { data: key } = await callApi<{ id: string }>('POST', '/api/key', { token, body })
  for (const name of [longName, 'مفتاح الإنتاج '.repeat(6).trim()]) {
    await callApi('PATCH', `/api/key/${key.id}`, { token, body: { name } })
    await openAs(page, person, '/account/apikeys')
    await expectClipped(page.getByRole('main'), [name])
    await page.goto(`/account/apikeys/edit?id=${key.id}`)
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expectClipped(crumbs, [name])
    await expectInside(crumbs.getByRole('link', { name: 'API keys' }))
    await expectNoOverflowAt320(page, 'the screen of a key')
  }
})

/** Expects that each name ends in an ellipsis inside its frame and has its full text as title. */
async function expectClipped(frame: Locator, names: string[]): Promise<void> {
  for (const name of names) {
    const place = frame.getByTitle(name, { exact: true })
    await expect(place).toBeVisible()
    const clipped = await place.evaluate(
      box => box.scrollWidth > box.clientWidth && getComputedStyle(box).textOverflow === 'ellipsis',
    )
    expect(clipped, `${name} is cut without a sign`).toBe(true)
  }
  const fits = await frame.evaluate(box => box.scrollWidth <= box.clientWidth)
  expect(fits, 'the names make their frame wider').toBe(true)
}

/** Expects the text inside its box and the box inside the page. */
async function expectInside(place: Locator): Promise<void> {
  await expect(place).toBeVisible()
  const fits = await place.evaluate(
    box =>
      box.scrollWidth <= box.clientWidth &&
      box.getBoundingClientRect().right <= document.documentElement.clientWidth &&
      box.clientWidth <= (box.parentElement?.clientWidth ?? 0),
  )
  expect(fits, 'the name runs over its place').toBe(true)
}

test('[nav:drawer] [menu:signout] the drawer navigates, closes by Escape, returns the focus, and signs out', async ({
  page,
}) => {
  await openAs(page, await createOnboardedPerson(), '/account/profile')
  await button(page, 'Open menu').click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(button(page, 'Open menu')).toBeFocused()
  await button(page, 'Open menu').click()
  await drawer.getByRole('link', { name: 'Dashboard' }).click()
  await expectPath(page, '/dashboard')
  await expect(drawer).toBeHidden()
  await button(page, 'Open menu').click()
  await drawer.getByRole('button', { name: 'Sign out' }).click()
  await expectPath(page, '/login')
})
