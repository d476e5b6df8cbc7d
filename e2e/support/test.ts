import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type Page,
  type TestInfo,
} from '@playwright/test'
import { createWatch, type Watch } from './watch.ts'

type Fixtures = {
  /** Fails the test for whatever goes wrong unseen; a test that provokes a failure announces it here. */
  watch: Watch
  /** A page in another browser: nothing is shared with `page`. */
  elsewhere: (options?: BrowserContextOptions) => Promise<Page>
}

export const test = base.extend<Fixtures>({
  // The ground behind the cards drifts; drawn without a graphics card that takes half of a machine.
  contextOptions: { reducedMotion: 'reduce' },
  watch: [
    async ({ context }, use, info) => {
      const watch = createWatch()
      watch.follow(context)
      await use(watch)
      if (info.errors.length > 0) await takePictures(context, info)
      watch.settle()
    },
    { auto: true },
  ],
  elsewhere: async ({ browser, watch, contextOptions }, use) => {
    const opened: BrowserContext[] = []
    await use(options => open(browser, { ...contextOptions, ...options }, watch, opened))
    for (const context of opened) await context.close()
  },
})

/** Playwright's own way takes one of every journey and throws most away: a twentieth of all their time. */
async function takePictures(context: BrowserContext, info: TestInfo) {
  // What failed is told, also where it can't be shown.
  for (const [n, page] of context.pages().entries())
    await page.screenshot({ path: info.outputPath(`failed-${n + 1}.png`), timeout: 5000 }).catch(() => {})
}

async function open(
  browser: Browser,
  options: BrowserContextOptions,
  watch: Watch,
  opened: BrowserContext[],
) {
  const context = await browser.newContext(options)
  opened.push(context)
  watch.follow(context)
  return context.newPage()
}

export { expect } from '@playwright/test'
