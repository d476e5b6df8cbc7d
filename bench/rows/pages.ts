import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { chromium, type Page } from '@playwright/test'
import { build } from 'vite'
import { bringBrowser } from '../../scripts/browser.ts'
import { addressOf, password } from '../lib/data.ts'
import { type Figure, judge } from '../lib/report.ts'
import type { Stage } from '../lib/stage.ts'

/** What the browser takes over the wire for a page: scripts and styles, as the server compressed them. */
export async function pages(stage: Stage): Promise<Figure[]> {
  const { port } = await stage.pages()
  const address = `http://localhost:${port}`
  const floor = await floorPage(stage)
  const browser = await chromium.launch({ executablePath: bringBrowser(), args: ['--no-sandbox'] })
  try {
    const signIn = await weigh(await browser.newPage(), `${address}/login`)
    const visitor = await browser.newContext()
    const dashboard = (await signInAndLook(await visitor.newPage(), address))
      ? // The same visitor with an empty cache.
        await weigh(
          await browser.newPage({ storageState: await visitor.storageState() }),
          `${address}/dashboard`,
        )
      : null
    const common = { row: 'pages', unit: 'x', better: 'less' as const }
    return [
      judge({
        ...common,
        what: 'sign-in page, JS + CSS brotli against a bare React page',
        value: signIn.bytes / floor.brotli,
        budget: 2,
        aim: 1.5,
        details: { 'KB ': signIn.bytes / 1000, files: signIn.files, 'floor KB ': floor.brotli / 1000 },
      }),
      judge({
        ...common,
        what: 'dashboard with its chart, JS + CSS brotli',
        value: dashboard ? dashboard.bytes / floor.brotli : null,
        budget: 3,
        aim: 2.3,
        details: dashboard
          ? { 'KB ': dashboard.bytes / 1000, files: dashboard.files }
          : { note: 'the screen is not there yet' },
      }),
    ]
  } finally {
    await browser.close()
  }
}

async function weigh(page: Page, url: string): Promise<{ bytes: number; files: number }> {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', request => {
    if (/\.(js|css)$/.test(new URL(request.url()).pathname))
      sizes.push(request.sizes().then(size => size.responseBodySize))
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  const all = await Promise.all(sizes)
  await page.close()
  if (all.some(each => each <= 0)) throw new Error(`Something on ${url} came from a cache`)
  return { bytes: all.reduce((sum, each) => sum + each, 0), files: all.length }
}

/** Signs in as a visitor does. False when there is no dashboard with a chart to look at yet. */
export async function signInAndLook(page: Page, address: string): Promise<boolean> {
  await page.goto(`${address}/login`)
  await page.locator('input[type=email]').fill(addressOf(1))
  await page.locator('input[type=password]').fill(password)
  await page.locator('input[type=password]').press('Enter')
  await page.waitForURL(url => !url.pathname.startsWith('/login'))
  await page.goto(`${address}/dashboard`, { waitUntil: 'networkidle' })
  const charts = await page.locator('canvas').count()
  await page.close()
  return charts > 0
}

/** The smallest page that React 19 and Vite make. */
async function floorPage(stage: Stage): Promise<{ brotli: number; gzip: number }> {
  const outDir = join(stage.folder, 'floor-page')
  await build({
    configFile: false,
    root: join(import.meta.dirname, '../floor/page'),
    logLevel: 'error',
    build: { outDir, target: 'baseline-widely-available', modulePreload: { polyfill: false } },
  })
  const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter(name =>
    /\.(js|css)$/.test(name),
  )
  const contents = files.map(name => readFileSync(join(outDir, name)))
  const total = (pack: (text: Buffer) => Buffer) => contents.reduce((sum, text) => sum + pack(text).length, 0)
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  return {
    brotli: total(text => brotliCompressSync(text, best)),
    gzip: total(text => gzipSync(text, { level: 9 })),
  }
}
