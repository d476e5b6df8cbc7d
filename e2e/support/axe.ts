import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './test.ts'

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Fails with the rule, the place and what to do, one line each. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  // What the old way can't do, frames of other origins, is on no screen; the new way opens a page for each look.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(levels).analyze()
  const lines = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${where}: ${id} at ${target.join(' ')}: ${failureSummary}`),
  )
  expect(lines).toEqual([])
}
