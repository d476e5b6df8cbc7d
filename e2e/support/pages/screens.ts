import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { paths } from '@plinth/contract/paths'
import { grants, isRole, type Role } from '@plinth/contract/roles'
import { type Language, textsOf } from '../texts.ts'

const web = join(import.meta.dirname, '../../../apps/web/src')
const read = (file: string) => readFileSync(join(web, file), 'utf8')

type Screen = { path: string; needs: Role | null; title: string }

/** All routes, read from the source of the product so that new screens are tested, too. */
const screens: readonly Screen[] = readScreens()

function readScreens(): Screen[] {
  const rows = read('app/routes.ts').matchAll(
    /path: paths\.(\w+),\s+layout: '\w+',(?:\s+needs: '(\w+)',)?\s+title: '([\w.]+)'/g,
  )
  const byName = new Map([...rows].map(([, name = '', ...row]) => [name, row]))
  return Object.entries(paths).map(([name, path]) => {
    // The row of the second 404 address is spread from the first one.
    const [needs, title = ''] = byName.get(name === 'notFoundToo' ? 'notFound' : name) ?? []
    return { path, needs: isRole(needs) ? needs : null, title }
  })
}

export const screensOfRole = (role: Role | null): Screen[] =>
  screens.filter(({ needs }) => !needs || (role !== null && grants(role, needs)))

/** Navigates on the client as a link does; only pages with a card form load from the server. */
export async function startNavigation(page: Page, address: string): Promise<void> {
  await page.evaluate(to => {
    // Mark an error screen, which stays until the next screen has loaded, so that `waitForScreen` ignores it.
    document.querySelector('[role=alert]:has(h1)')?.setAttribute('data-left', '')
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
}

/** Navigates and waits for the screen. It cannot detect the end of a navigation to another query of the same screen. */
export async function navigate(page: Page, address: string, language?: Language): Promise<void> {
  await startNavigation(page, address)
  await waitForScreen(page, language)
}

function documentTitles(language: Language): Record<string, string> {
  const t = textsOf(language)
  return Object.fromEntries(screens.map(({ path, title }) => [path, `${t(title)} · Plinth`]))
}
const titles = { en: documentTitles('en'), de: documentTitles('de') }

/** Waits until the screen of the current address and its data have loaded. */
export async function waitForScreen(page: Page, language: Language = 'en'): Promise<void> {
  await page.waitForFunction(
    known =>
      // A screen with an invalid link has its own title.
      (document.title === known[location.pathname] ||
        document.querySelector('[role=alert]:not([data-left]) h1')) &&
      document.querySelector('h1') &&
      !document.querySelector('[aria-busy=true]'),
    titles[language],
  )
}
