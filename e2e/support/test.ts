import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type Page,
  type TestInfo,
} from '@playwright/test'
import { type ConsoleGuard, createConsoleGuard } from './browser/console-guard.ts'

type Fixtures = {
  /** Fails the test on unexpected problems in the browser. A test allows the failures that it provokes. */
  consoleGuard: ConsoleGuard
  /** Opens a page in another browser context, which shares nothing with `page`. */
  openOtherBrowser: (options?: BrowserContextOptions) => Promise<Page>
}

export const test = base.extend<Fixtures>({
  // The animated background uses half a CPU when rendered without a GPU.
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
    // Close before a test's own server stops: pending requests would fail.
    for (const context of opened) await context.close()
  },
})

/** Takes screenshots of failures only. Playwright takes one after each test, which costs 5 % of the time. */
async function takeScreenshots(contexts: BrowserContext[], info: TestInfo, name: string) {
  const pages = contexts.flatMap(context => context.pages())
  // A screenshot that fails must not hide the failure of the test.
  for (const [n, page] of pages.entries())
    await page.screenshot({ path: info.outputPath(`${name}-${n + 1}.png`), timeout: 5000 }).catch(() => {})
}

export { expect } from '@playwright/test'
