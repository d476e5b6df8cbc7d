import type { Page } from '@playwright/test'
import { expect } from '../test.ts'
import { payloadName, payloadNames } from './payloads.ts'

/**
 * Renames the person and the account as if another tab had saved it. Expects that no script ran and that no text became
 * markup.
 * @param tryAllNames for a page that shows both names: tries all names instead of the next two
 */
export async function expectNoInjection(page: Page, { tryAllNames = false } = {}): Promise<void> {
  const some = [payloadName(nextName), payloadName(++nextName)]
  const { unseen, ...found } = await page.evaluate(renameAndInspect, tryAllNames ? payloadNames : some)
  expect(found, page.url()).toEqual({ ran: false, injected: [] })
  if (tryAllNames) expect(unseen, page.url()).toEqual([])
}
let nextName = 0

/** Runs in the browser. */
async function renameAndInspect(all: string[]) {
  const key = 'plinth.session'
  const stored = localStorage.getItem(key)
  const unseen: string[] = []
  const saveInOtherTab = (value: string) => {
    localStorage.setItem(key, value)
    dispatchEvent(new StorageEvent('storage', { key }))
  }
  if (stored) {
    const session = JSON.parse(stored)
    for (const [n, name] of all.entries()) {
      const other = all.at(n - 1) ?? ''
      const accounts = session.accounts.map((account: object) => ({ ...account, name: other }))
      saveInOtherTab(JSON.stringify({ ...session, name, accounts }))
      // React renders at the end of the task.
      await Promise.resolve()
      unseen.push(...[name, other].filter(text => !document.body.textContent.includes(text)))
    }
    saveInOtherTab(stored)
  }
  const foreign =
    'base[href], object, embed, marquee, isindex, math, template, meta[http-equiv=refresh], img[src=x]'
  const runs = (element: Element) =>
    element.getAttributeNames().some(attribute => attribute.startsWith('on')) ||
    ['href', 'src', 'action', 'formaction', 'srcdoc'].some(attribute =>
      /^(?:javascript:|data:text|<)/i.test(element.getAttribute(attribute) ?? ''),
    )
  const injected = [...document.querySelectorAll('*')].filter(one => one.matches(foreign) || runs(one))
  return {
    ran: Object.hasOwn(window, '__pwned'),
    injected: injected.map(({ outerHTML }) => outerHTML.slice(0, 200)),
    unseen,
  }
}

/** Waits until the page shows the texts as typed, in its content or its fields. */
export async function expectShown(page: Page, texts: readonly string[]): Promise<void> {
  await page.waitForFunction(wanted => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')]
    const shown = [document.body.textContent, ...fields.map(({ value }) => value)].join('\n')
    return wanted.every(text => shown.includes(text))
  }, texts)
}
