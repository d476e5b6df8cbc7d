import type { Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { colourRules, expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForLink } from '../support/mail.ts'
import { button } from '../support/pages/elements.ts'
import { expectNoSidewaysScroll } from '../support/pages/expectations.ts'
import { navigate } from '../support/pages/screens.ts'
import {
  createOnboardedPerson,
  createPersonWithPlan,
  createUnverifiedPerson,
  createVerifiedPerson,
} from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'
import { sandboxUrl } from '../support/urls.ts'

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const smallest = { width: 320, height: 640 }

const ink = (page: Page) => page.evaluate(() => getComputedStyle(document.body).color)

/** Turns the colours of a page that stands, as the switch in the menu does (dark-mode.spec.ts). */
async function turn(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.evaluate(dark => document.documentElement.classList.toggle('dark', dark), scheme === 'dark')
}

/**
 * Looks at what is there in both sizes, by every rule, and in the dark by the rules that colours can break; on the
 * smallest screen nothing may be wider than it. Colours are turned once, and each size comes once: each time all of the
 * page is drawn anew.
 */
async function look(page: Page, where: string, sizes = [desk, phone]): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  const [first = desk, ...others] = sizes
  await page.setViewportSize(first)
  await expectAccessible(page, `${where} at ${first.width}`)
  const light = await ink(page)
  await turn(page, 'dark')
  expect(await ink(page), `${where} was dark`).not.toBe(light)
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expectAccessible(page, `${where} at ${size.width} in the dark`, colourRules)
  }
  await turn(page, 'light')
  expect(await ink(page), `${where} was light again`).toBe(light)
  for (const size of others.toReversed()) {
    await page.setViewportSize(size)
    await expectAccessible(page, `${where} at ${size.width}`)
  }
  await page.setViewportSize(smallest)
  await expectNoSidewaysScroll(page)
}

const names = {
  en: { table: 'Show as a table', menu: 'Your menu', drawer: 'Open menu' },
  de: { table: 'Als Tabelle anzeigen', menu: 'Ihr Menü', drawer: 'Menü öffnen' },
}

for (const language of ['en', 'de'] as const) {
  /** A screen comes with its own styles alone, and with those of the screens before it: each in one language. */
  const open = (page: Page, path: string) =>
    language === 'en' ? page.goto(path) : navigate(page, path, language)

  test.describe(language, () => {
    test.use({ locale: language })

    test('axe finds nothing before the account is verified', async ({ page, consoleGuard }) => {
      consoleGuard.allowStatus(404, 422)
      // What they notify of would stand over the screens that are followed to.
      for (const path of ['/login?error=x', '/login/social?error=x', '/nowhere']) {
        await page.goto(path)
        await look(page, path)
      }
      await page.goto('/signup/user')
      await look(page, '/signup/user')
      for (const path of [
        '/forgotpassword',
        '/signup/user?email=a%40b.example&id=x',
        '/magic',
        '/resetpassword',
        '/login/saml',
        '/signin/end',
        '/signin/undo',
        '/signup',
      ]) {
        await open(page, path)
        await look(page, path)
      }
      await page.getByRole('main').locator('button[type=submit]').click()
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
      await look(page, 'a form with errors')

      const person = await createUnverifiedPerson({ language })
      await openAs(page, person, '/signup/verify')
      await look(page, 'waiting for the mail')
      const { url } = await waitForLink(person.email)
      await callApi('POST', '/api/user/verify/request', { token: person.user.token })
      await page.goto(url)
      await look(page, 'opened from the mail')
      await page.getByRole('main').locator('button.btn--primary').click()
      await expect(page.getByRole('alert')).toBeVisible()
      await look(page, 'an expired link')
    })

    test('axe finds nothing on plan and onboarding', async ({ page }) => {
      const person = await createVerifiedPerson({ language })
      await openAs(page, person, '/signup/plan')
      await look(page, '/signup/plan')
      await page.goto('/signup/plan?id=scale')
      await look(page, '/signup/plan?id=scale')
      await page.goto('/signup/plan?id=startup')
      await page.locator('button[type=submit]').click()
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
      await look(page, 'a plan without its card')

      await openAs(page, await createPersonWithPlan({ language }), '/welcome')
      await look(page, '/welcome')
      await page.goto('/welcome?page=2')
      await expect(page.getByRole('combobox')).toBeVisible()
      await look(page, '/welcome?page=2')
      await page.goto('/welcome?page=9')
      await look(page, '/welcome?page=9')
    })

    test('axe finds nothing in the app', async ({ page }) => {
      await openAs(page, await createOnboardedPerson({ language }), '/dashboard')
      await expect(page.getByRole('table').getByRole('row').nth(5)).toBeVisible()
      await look(page, '/dashboard')
      await button(page, names[language].table).click()
      await look(page, 'the chart as a table')
      await button(page, names[language].menu).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await look(page, 'the open menu')
      await page.keyboard.press('Escape')
      await button(page, names[language].drawer).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await look(page, 'the open drawer', [phone])
      await page.goto('/dashboard?search=nobody+at+all')
      await look(page, 'an empty search')
      for (const path of [
        '/account',
        '/account/profile',
        '/account/notifications',
        '/account/billing',
        '/account/upgrade',
        '/help',
      ]) {
        await open(page, path)
        await look(page, path)
      }
    })

    test('axe finds nothing in what guards an account and in what belongs to all', async ({ page }) => {
      const person = await createOnboardedPerson({ language })
      await openAs(page, person, '/account/apikeys')
      await look(page, 'no keys')
      const { data } = await callApi<{ id: string }>('POST', '/api/key', {
        token: person.user.token,
        body: { name: 'Warehouse sync', scope: ['usage.create'] },
      })
      await page.goto('/account/apikeys')
      await expect(page.getByText('Warehouse sync')).toBeVisible()
      await look(page, '/account/apikeys')
      for (const path of [
        '/account/apikeys/create',
        `/account/apikeys/edit?id=${data.id}`,
        '/account/users',
        '/account/audit',
        '/account/sso',
        '/account/password',
        '/account/2fa',
      ]) {
        await open(page, path)
        await look(page, path)
      }
    })
  })
}

test('the same look finds what is planted: in a document, in the next one, and in a frame', async ({
  page,
}) => {
  const plant = (body: Element) => body.append(document.createElement('img'))
  for (const path of ['/login', '/signup']) {
    await page.goto(path)
    await page.locator('main').evaluate(plant)
    await expect(expectAccessible(page, path)).rejects.toThrow(`${path}: image-alt at img:`)
  }
  await page.goto(`${sandboxUrl}/sandbox`)
  await page.locator('main').evaluate(main => {
    const frame = document.createElement('iframe')
    main.append(Object.assign(frame, { title: 'planted', srcdoc: '<h1>A frame</h1>' }))
  })
  await page.frameLocator('iframe[title=planted]').locator('body').evaluate(plant)
  await expect(expectAccessible(page, 'a frame')).rejects.toThrow('a frame: image-alt at iframe img:')
})

test('axe finds nothing on the pages of the sandbox', async ({ page, consoleGuard }) => {
  // The mail stands in a frame without an origin, which axe knocks at in vain.
  consoleGuard.allowMessage(
    /Failed to execute 'postMessage' on 'DOMWindow'.*recipient window's origin \('null'\)/,
  )
  const person = await createUnverifiedPerson()
  const { mail } = await waitForLink(person.email)
  for (const path of ['/', `/#${mail.id}`, '/sandbox', '/sandbox/time', '/sandbox/requests']) {
    await page.goto(sandboxUrl + path)
    await look(page, path)
  }
})
