import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type Page,
  type TestInfo,
} from '@playwright/test'
import { type ConsoleGuard, createConsoleGuard } from './browser/console-guard.ts'

type Fixtures = {
  /** Fails the test for whatever goes wrong unseen; a test that provokes a failure announces it here. */
  consoleGuard: ConsoleGuard
  /** A page in another browser: nothing is shared with `page`. */
  openOtherBrowser: (options?: BrowserContextOptions) => Promise<Page>
}

export const test = base.extend<Fixtures>({
  // The ground behind the cards drifts; drawn without a graphics card that takes half of a machine.
  contextOptions: { reducedMotion: 'reduce' },
  consoleGuard: [
    async ({ context }, use, info) => {
      const guard = createConsoleGuard()
      guard.observe(context)
      await use(guard)
      try {
        guard.expectNoProblems()
      } catch (error) {
        await takeScreenshots([context], info, 'failed')
        throw error
      }
      if (info.errors.length > 0) await takeScreenshots([context], info, 'failed')
    },
    { auto: true },
  ],
  openOtherBrowser: async ({ browser, consoleGuard, contextOptions }, use, info) => {
    const opened: BrowserContext[] = []
    await use(async options => {
      const context = await browser.newContext({ ...contextOptions, ...options })
      opened.push(context)
      consoleGuard.observe(context)
      return context.newPage()
    })
    if (info.errors.length > 0) await takeScreenshots(opened, info, 'failed-elsewhere')
    // Before the server goes that a test may have of its own: what is still under way there would fail.
    for (const context of opened) await context.close()
  },
})

/** Playwright's own way takes one of every journey and throws most away: a twentieth of all their time. */
async function takeScreenshots(contexts: BrowserContext[], info: TestInfo, name: string) {
  const pages = contexts.flatMap(context => context.pages())
  // What failed is told, also where it can't be shown.
  for (const [n, page] of pages.entries())
    await page.screenshot({ path: info.outputPath(`${name}-${n + 1}.png`), timeout: 5000 }).catch(() => {})
}

export { expect } from '@playwright/test'
