import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type Page,
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
    async ({ context }, use) => {
      const watch = createWatch()
      watch.follow(context)
      await use(watch)
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
