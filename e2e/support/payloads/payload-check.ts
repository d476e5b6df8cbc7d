import type { Page } from '@playwright/test'
import { expect } from '../test.ts'
import { payloadName, payloadNames } from './payloads.ts'

/**
 * Gives the person and the account other names, as if another tab had saved them, and looks at what stands there
 * then: nothing ran, and nothing that was typed became markup.
 * @param named whether the page shows both; all the names are tried then, otherwise two, which are others each time
 */
export async function expectNoInjection(page: Page, { tryAllNames = false } = {}): Promise<void> {
  const some = [payloadName(nextName), payloadName(++nextName)]
  const { unseen, ...found } = await page.evaluate(renameAndInspect, tryAllNames ? payloadNames : some)
  expect(found, page.url()).toEqual({ ran: false, grown: [] })
  if (tryAllNames) expect(unseen, page.url()).toEqual([])
}
let nextName = 0

/** Runs in the page. */
async function renameAndInspect(all: string[]) {
  const key = 'plinth.session'
  const kept = localStorage.getItem(key)
  const unseen: string[] = []
  const saveInOtherTab = (value: string) => {
    localStorage.setItem(key, value)
    dispatchEvent(new StorageEvent('storage', { key }))
  }
  if (kept) {
    const session = JSON.parse(kept)
    for (const [n, name] of all.entries()) {
      const other = all.at(n - 1) ?? ''
      const accounts = session.accounts.map((account: object) => ({ ...account, name: other }))
      saveInOtherTab(JSON.stringify({ ...session, name, accounts }))
      // It is drawn at the end of the task.
      await Promise.resolve()
      unseen.push(...[name, other].filter(text => !document.body.textContent.includes(text)))
    }
    saveInOtherTab(kept)
  }
  const foreign =
    'base[href], object, embed, marquee, isindex, math, template, meta[http-equiv=refresh], img[src=x]'
  const runs = (element: Element) =>
    element.getAttributeNames().some(attribute => attribute.startsWith('on')) ||
    ['href', 'src', 'action', 'formaction', 'srcdoc'].some(attribute =>
      /^(?:javascript:|data:text|<)/i.test(element.getAttribute(attribute) ?? ''),
    )
  const grown = [...document.querySelectorAll('*')].filter(one => one.matches(foreign) || runs(one))
  return {
    ran: Object.hasOwn(window, '__pwned'),
    grown: grown.map(({ outerHTML }) => outerHTML.slice(0, 200)),
    unseen,
  }
}

/** The page comes to show these as they were typed, in its text or in its fields. */
export async function expectShown(page: Page, texts: readonly string[]): Promise<void> {
  await page.waitForFunction(wanted => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')]
    const shown = [document.body.textContent, ...fields.map(({ value }) => value)].join('\n')
    return wanted.every(text => shown.includes(text))
  }, texts)
}
