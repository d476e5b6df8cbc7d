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

const textColour = (page: Page) => page.evaluate(() => getComputedStyle(document.body).color)

/** Changes the colour scheme without a reload, as the switch in the menu does (dark-mode.spec.ts). */
async function setColourScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.evaluate(dark => document.documentElement.classList.toggle('dark', dark), scheme === 'dark')
}

/**
 * Runs axe at each size with all rules, and in dark mode with the rules about colours. Expects no sideways scrolling on
 * the smallest screen. Each change of size or colours renders the whole page, so the order avoids extra changes.
 */
async function checkScreen(page: Page, where: string, sizes = [desk, phone]): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  const [first = desk, ...others] = sizes
  await page.setViewportSize(first)
  await expectAccessible(page, `${where} at ${first.width}`)
  const light = await textColour(page)
  await setColourScheme(page, 'dark')
  expect(await textColour(page), `${where} is dark`).not.toBe(light)
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expectAccessible(page, `${where} at ${size.width} in the dark`, colourRules)
  }
  await setColourScheme(page, 'light')
  expect(await textColour(page), `${where} is light again`).toBe(light)
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
  /** English loads each screen alone; German navigates, so that the styles of earlier screens are loaded, too. */
  const open = (page: Page, path: string) =>
    language === 'en' ? page.goto(path) : navigate(page, path, language)

  test.describe(language, () => {
    test.use({ locale: language })

    test('axe finds nothing on the screens before the address is verified', async ({
      page,
      consoleGuard,
    }) => {
      consoleGuard.allowStatus(404, 422)
      // Load these directly: their toasts would cover the screens after them.
      for (const path of ['/login?error=x', '/login/social?error=x', '/nowhere']) {
        await page.goto(path)
        await checkScreen(page, path)
      }
      await page.goto('/signup/user')
      await checkScreen(page, '/signup/user')
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
        await checkScreen(page, path)
      }
      await page.getByRole('main').locator('button[type=submit]').click()
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
      await checkScreen(page, 'a form with errors')

      const person = await createUnverifiedPerson({ language })
      await openAs(page, person, '/signup/verify')
      await checkScreen(page, 'waiting for the mail')
      const { url } = await waitForLink(person.email)
      await callApi('POST', '/api/user/verify/request', { token: person.user.token })
      await page.goto(url)
      await checkScreen(page, 'opened from the mail')
      await page.getByRole('main').locator('button.btn--primary').click()
      await expect(page.getByRole('alert')).toBeVisible()
      await checkScreen(page, 'an expired link')
    })

    test('axe finds nothing on the plan and onboarding screens', async ({ page }) => {
      const person = await createVerifiedPerson({ language })
      await openAs(page, person, '/signup/plan')
      await checkScreen(page, '/signup/plan')
      await page.goto('/signup/plan?id=scale')
      await checkScreen(page, '/signup/plan?id=scale')
      await page.goto('/signup/plan?id=startup')
      await page.locator('button[type=submit]').click()
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
      await checkScreen(page, 'a plan without its card')

      await openAs(page, await createPersonWithPlan({ language }), '/welcome')
      await checkScreen(page, '/welcome')
      await page.goto('/welcome?page=2')
      await expect(page.getByRole('combobox')).toBeVisible()
      await checkScreen(page, '/welcome?page=2')
      await page.goto('/welcome?page=9')
      await checkScreen(page, '/welcome?page=9')
    })

    test('axe finds nothing on the dashboard and the personal screens', async ({ page }) => {
      await openAs(page, await createOnboardedPerson({ language }), '/dashboard')
      await expect(page.getByRole('table').getByRole('row').nth(5)).toBeVisible()
      await checkScreen(page, '/dashboard')
      await button(page, names[language].table).click()
      await checkScreen(page, 'the chart as a table')
      await button(page, names[language].menu).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await checkScreen(page, 'the open menu')
      await page.keyboard.press('Escape')
      await button(page, names[language].drawer).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await checkScreen(page, 'the open drawer', [phone])
      await page.goto('/dashboard?search=nobody+at+all')
      await checkScreen(page, 'an empty search')
      for (const path of [
        '/account',
        '/account/profile',
        '/account/notifications',
        '/account/billing',
        '/account/upgrade',
        '/help',
      ]) {
        await open(page, path)
        await checkScreen(page, path)
      }
    })

    test('axe finds nothing on the security and team screens', async ({ page }) => {
      const person = await createOnboardedPerson({ language })
      await openAs(page, person, '/account/apikeys')
      await checkScreen(page, 'no keys')
      const { data } = await callApi<{ id: string }>('POST', '/api/key', {
        token: person.user.token,
        body: { name: 'Warehouse sync', scope: ['usage.create'] },
      })
      await page.goto('/account/apikeys')
      await expect(page.getByText('Warehouse sync')).toBeVisible()
      await checkScreen(page, '/account/apikeys')
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
        await checkScreen(page, path)
      }
    })
  })
}

test('the axe check finds a planted violation in a document, in the next one and in a frame', async ({
  page,
}) => {
  const plantViolation = (body: Element) => body.append(document.createElement('img'))
  for (const path of ['/login', '/signup']) {
    await page.goto(path)
    await page.locator('main').evaluate(plantViolation)
    await expect(expectAccessible(page, path)).rejects.toThrow(`${path}: image-alt at img:`)
  }
  await page.goto(`${sandboxUrl}/sandbox`)
  await page.locator('main').evaluate(main => {
    const frame = document.createElement('iframe')
    main.append(Object.assign(frame, { title: 'planted', srcdoc: '<h1>A frame</h1>' }))
  })
  await page.frameLocator('iframe[title=planted]').locator('body').evaluate(plantViolation)
  await expect(expectAccessible(page, 'a frame')).rejects.toThrow('a frame: image-alt at iframe img:')
})

test('axe finds nothing on the pages of the sandbox', async ({ page, consoleGuard }) => {
  // After the other journeys, inbox and log have hundreds of rows.
  test.setTimeout(180_000)
  // The mail is in a frame without an origin, which axe cannot message.
  consoleGuard.allowMessage(
    /Failed to execute 'postMessage' on 'DOMWindow'.*recipient window's origin \('null'\)/,
  )
  const person = await createUnverifiedPerson()
  const { mail } = await waitForLink(person.email)
  for (const path of ['/', `/#${mail.id}`, '/sandbox', '/sandbox/time', '/sandbox/requests']) {
    await page.goto(sandboxUrl + path)
    await checkScreen(page, path)
  }
})
