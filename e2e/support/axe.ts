import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect } from './test.ts'

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const everything: axe.RunOptions['runOnly'] = { type: 'tag', values: levels }
/** What may be right in one set of colours and wrong in another. */
export const ofColours: axe.RunOptions['runOnly'] = ['color-contrast', 'link-in-text-block']

// Every document reads it anew, and this one is less than half of what the package has as its `source`.
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Fails with the rule, the place and what to do, one line each. */
export async function expectAccessible(page: Page, where: string, runOnly = everything): Promise<void> {
  // A page that is still on its way is not the one to judge.
  await page.locator('h1').first().waitFor({ state: 'attached', timeout: 10_000 })
  const { origin } = new URL(page.url())
  // It stays until the document goes, and reading it costs as much as a look. Frames of other origins keep it out.
  for (const frame of page.frames()) {
    const ours = frame === page.mainFrame() || !/^https?:/.test(frame.url()) || frame.url().startsWith(origin)
    if (ours && (await frame.evaluate<string>('typeof axe')) === 'undefined') await frame.evaluate(source)
  }
  // Only what breaks a rule is also described, and only where something does it is said by which selector to find it: for
  // the rest that takes most of the time.
  const look = (options: axe.RunOptions) =>
    page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify({ runOnly, ...options })})`)
  const first = await look({ resultTypes: ['violations'], selectors: false })
  if (first.violations.length === 0) return
  const { violations } = await look({ resultTypes: ['violations'] })
  const lines = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${where}: ${id} at ${target.join(' ')}: ${failureSummary}`),
  )
  const gone = first.violations.map(({ id }) => `${where}: ${id}, and a moment later no more`)
  expect(lines.length > 0 ? lines : gone).toEqual([])
}
