import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { paths } from '@plinth/contract/paths'
import { grants, isRole, type Role } from '@plinth/contract/roles'
import { type Language, textsOf } from '../texts.ts'

const web = join(import.meta.dirname, '../../../apps/web/src')
const read = (file: string) => readFileSync(join(web, file), 'utf8')

type Screen = { path: string; needs: Role | null; title: string }

/** The table of routes, read where the product has it: a screen that is added is walked, too. */
const screens: readonly Screen[] = readScreens()

function readScreens(): Screen[] {
  const rows = read('app/routes.ts').matchAll(
    /path: paths\.(\w+),\s+layout: '\w+',(?:\s+needs: '(\w+)',)?\s+title: '([\w.]+)'/g,
  )
  const byName = new Map([...rows].map(([, name = '', ...row]) => [name, row]))
  return Object.entries(paths).map(([name, path]) => {
    // The second address of the page for whoever is lost is spread from the first one.
    const [needs, title = ''] = byName.get(name === 'notFoundToo' ? 'notFound' : name) ?? []
    return { path, needs: isRole(needs) ? needs : null, title }
  })
}

export const screensOfRole = (role: Role | null): Screen[] =>
  screens.filter(({ needs }) => !needs || (role !== null && grants(role, needs)))

/** As a link of the product does it: the guard decides anew; the page stays, but for where a card is typed. */
export async function startNavigation(page: Page, address: string): Promise<void> {
  await page.evaluate(to => {
    // The screen stays until the next one has loaded. Marked, so that `arrived` does not take it for the next one.
    document.querySelector('[role=alert]:has(h1)')?.setAttribute('data-left', '')
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
}

/** … and waits for what is there then. Of another query on the same screen it can't know: who goes there waits, too. */
export async function navigate(page: Page, address: string, language?: Language): Promise<void> {
  await startNavigation(page, address)
  await waitForScreen(page, language)
}

/** What the document is called on each screen. */
function documentTitles(language: Language): Record<string, string> {
  const t = textsOf(language)
  return Object.fromEntries(screens.map(({ path, title }) => [path, `${t(title)} · Plinth`]))
}
const titles = { en: documentTitles('en'), de: documentTitles('de') }

/** The screen of the address is there, whichever it led to, with what it asked for. */
export async function waitForScreen(page: Page, language: Language = 'en'): Promise<void> {
  await page.waitForFunction(
    known =>
      // A screen whose link failed has a title of its own.
      (document.title === known[location.pathname] ||
        document.querySelector('[role=alert]:not([data-left]) h1')) &&
      document.querySelector('h1') &&
      !document.querySelector('[aria-busy=true]'),
    titles[language],
  )
}
