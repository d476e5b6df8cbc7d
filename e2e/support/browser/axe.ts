import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect } from '../test.ts'
import { devtoolsOf } from './devtools.ts'

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const allRules: axe.RunOptions['runOnly'] = { type: 'tag', values: levels }
/** What may be right in one set of colours and wrong in another. */
export const colourRules: axe.RunOptions['runOnly'] = ['color-contrast', 'link-in-text-block']

// This one is less than half of what the package has as its `source`.
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Fails with the rule, the place and what to do, one line each. */
export async function expectAccessible(page: Page, where: string, runOnly = allRules): Promise<void> {
  // A page that is still on its way is not the one to judge.
  await page.locator('h1').first().waitFor({ state: 'attached', timeout: 10_000 })
  await page.locator('.page-progress').waitFor({ state: 'detached', timeout: 10_000 })
  await loadAxe(page)
  // Only what breaks a rule comes back and is described, and only where something does it is said by which selector to
  // find it: for the rest that takes most of the time.
  const look = (options: axe.RunOptions) => {
    const all = JSON.stringify({ runOnly, resultTypes: ['violations'], ...options })
    return evaluateWithAxe<axe.Result[]>(page, `axe.run(${all}).then(found => found.violations)`)
  }
  const first = await look({ selectors: false })
  if (first.length === 0) return
  const violations = await look({})
  const lines = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${where}: ${id} at ${target.join(' ')}: ${failureSummary}`),
  )
  const gone = first.map(({ id }) => `${where}: ${id}, and a moment later no more`)
  expect(lines.length > 0 ? lines : gone).toEqual([])
}

/** It stays until the document goes, and reading it costs as much as a look. Frames of other origins keep it out. */
async function loadAxe(page: Page): Promise<void> {
  await evaluateWithAxe(page, `typeof axe === 'undefined' && readAxe()`)
  const { origin } = new URL(page.url())
  for (const frame of page.frames()) {
    if (frame === page.mainFrame()) continue
    const ours = !/^https?:/.test(frame.url()) || frame.url().startsWith(origin)
    if (ours && (await frame.evaluate<string>('typeof axe')) === 'undefined') await frame.evaluate(source)
  }
}

const injections = new WeakMap<Page, Promise<unknown>>()

/**
 * As `page.evaluate` without its wrapping. The browser is told of axe once for a tab: it is more than half a megabyte, and
 * what was read of a text in one document is known in the next.
 */
async function evaluateWithAxe<T>(page: Page, expression: string): Promise<T> {
  const session = await devtoolsOf(page)
  const telling = injections.get(page) ?? injectAxe(page)
  injections.set(page, telling)
  await telling
  const options = { expression, awaitPromise: true, returnByValue: true }
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', options)
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value
}

async function injectAxe(page: Page): Promise<void> {
  const session = await devtoolsOf(page)
  const telling = `globalThis.readAxe = () => { ${source}\n}`
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: telling, runImmediately: true })
}
