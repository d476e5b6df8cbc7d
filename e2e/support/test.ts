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
  /** The browsers of the test, that of `page` first. They stay open until all has been judged: of a failure pictures are taken. */
  browsers: BrowserContext[]
  /** Fails the test for whatever goes wrong unseen; a test that provokes a failure announces it here. */
  watch: Watch
  /** A page in another browser: nothing is shared with `page`. */
  elsewhere: (options?: BrowserContextOptions) => Promise<Page>
}

export const test = base.extend<Fixtures>({
  // The ground behind the cards drifts; drawn without a graphics card that takes half of a machine.
  contextOptions: { reducedMotion: 'reduce' },
  browsers: async ({ context }, use) => {
    const browsers = [context]
    await use(browsers)
    // The first one is not ours to close.
    for (const other of browsers.slice(1)) await other.close()
  },
  watch: [
    async ({ context, browsers }, use, info) => {
      const watch = createWatch()
      watch.follow(context)
      await use(watch)
      try {
        watch.settle()
      } catch (error) {
        await takePictures(browsers, info)
        throw error
      }
      if (info.errors.length > 0) await takePictures(browsers, info)
    },
    { auto: true },
  ],
  elsewhere: async ({ browser, watch, contextOptions, browsers }, use) => {
    await use(options => open(browser, { ...contextOptions, ...options }, watch, browsers))
  },
})

/** Playwright's own way takes one of every journey and throws most away: a twentieth of all their time. */
async function takePictures(browsers: BrowserContext[], info: TestInfo) {
  const pages = browsers.flatMap(context => context.pages())
  // What failed is told, also where it can't be shown.
  for (const [n, page] of pages.entries())
    await page.screenshot({ path: info.outputPath(`failed-${n + 1}.png`), timeout: 5000 }).catch(() => {})
}

async function open(
  browser: Browser,
  options: BrowserContextOptions,
  watch: Watch,
  browsers: BrowserContext[],
) {
  const context = await browser.newContext(options)
  browsers.push(context)
  watch.follow(context)
  return context.newPage()
}

export { expect } from '@playwright/test'
