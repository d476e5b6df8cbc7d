import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect } from '../test.ts'
import { devtoolsOf } from './devtools.ts'

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const allRules: axe.RunOptions['runOnly'] = { type: 'tag', values: levels }
/** Rules whose result depends on the colour scheme. */
export const colourRules: axe.RunOptions['runOnly'] = ['color-contrast', 'link-in-text-block']

// Less than half the size of the package's `source` export.
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Fails with one line per violation: the rule, the element and the fix. */
export async function expectAccessible(page: Page, where: string, runOnly = allRules): Promise<void> {
  // Wait until the page has loaded.
  await page.locator('h1').first().waitFor({ state: 'attached', timeout: 10_000 })
  await page.locator('.page-progress').waitFor({ state: 'detached', timeout: 10_000 })
  await loadAxe(page)
  // Selectors are only built when there is a violation, because building them takes most of the time.
  const findViolations = (options: axe.RunOptions) => {
    const all = JSON.stringify({ runOnly, resultTypes: ['violations'], ...options })
    return evaluateWithAxe<axe.Result[]>(page, `axe.run(${all}).then(found => found.violations)`)
  }
  const first = await findViolations({ selectors: false })
  if (first.length === 0) return
  const violations = await findViolations({})
  const lines = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${where}: ${id} at ${target.join(' ')}: ${failureSummary}`),
  )
  const unreproduced = first.map(({ id }) => `${where}: ${id}, not reproduced on the second run`)
  expect(lines.length > 0 ? lines : unreproduced).toEqual([])
}

/**
 * Loads axe once per document, because loading takes as long as a check. Frames of other origins are not accessible.
 */
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
 * Evaluates an expression without the wrapper of `page.evaluate`. The source of axe (more than half a megabyte) is sent
 * once per tab and compiled once for all its documents.
 */
async function evaluateWithAxe<T>(page: Page, expression: string): Promise<T> {
  const session = await devtoolsOf(page)
  const injection = injections.get(page) ?? injectAxe(page)
  injections.set(page, injection)
  await injection
  const options = { expression, awaitPromise: true, returnByValue: true }
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', options)
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value
}

async function injectAxe(page: Page): Promise<void> {
  const session = await devtoolsOf(page)
  const loader = `globalThis.readAxe = () => { ${source}\n}`
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: loader, runImmediately: true })
}
