import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, chromium } from '@playwright/test'
import { bringBrowser } from '../../scripts/browser.ts'
import { freePorts } from '../../scripts/lib/ports.ts'
import { median } from '../lib/measure.ts'
import { type Figure, judge } from '../lib/report.ts'
import type { Stage } from '../lib/stage.ts'
import { signInAndLook } from './pages.ts'

const categories = {
  performance: { budget: 98, aim: 100 },
  accessibility: { budget: 100, aim: 100 },
  'best-practices': { budget: 100, aim: 100 },
}
type Category = keyof typeof categories
const names = Object.keys(categories) as Category[] // as: the table's own keys

const home = join(import.meta.dirname, '../lighthouse')
const folder = join(home, 'node_modules/lighthouse')
const versionIn = (file: string, of: (found: Manifest) => string | undefined) =>
  existsSync(file) ? of(JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined // as: a package's manifest
type Manifest = { version?: string; dependencies?: Record<string, string> }

/**
 * It lies beside everything else with a lock of its own: a quarter of an installation's files, for this row alone.
 * @returns whether it is there; a machine without the registry can't measure this row, and measures the others
 */
function bringLighthouse(): boolean {
  const wanted = versionIn(join(home, 'package.json'), found => found.dependencies?.lighthouse)
  if (versionIn(join(folder, 'package.json'), found => found.version) === wanted) return true
  console.log('Bringing Lighthouse (npm ci in bench/lighthouse) …')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: home,
    stdio: 'inherit',
  })
  return status === 0
}

/** Lighthouse as on a phone, three times each: the median of each score. */
export async function lighthouse(stage: Stage): Promise<Figure[]> {
  if (!bringLighthouse()) {
    const note = 'Lighthouse could not be brought'
    return ['sign-in page', 'dashboard'].flatMap(page => judgeAll(page, [], note))
  }
  const { port } = await stage.pages()
  const address = `http://localhost:${port}`
  const place = { port: await freePorts(1), file: join(stage.folder, 'lighthouse.json') }
  const context = await chromium.launchPersistentContext(join(stage.folder, 'browser'), {
    executablePath: bringBrowser(),
    args: ['--no-sandbox', `--remote-debugging-port=${place.port}`],
  })
  const times = stage.quick ? 1 : 3
  try {
    const figures = judgeAll('sign-in page', await scores(`${address}/login`, place, times))
    const there = await signInAndLook(await context.newPage(), address)
    await keepOnePage(context)
    const dashboard = there ? await scores(`${address}/dashboard`, place, times) : []
    return [...figures, ...judgeAll('dashboard', dashboard)]
  } finally {
    await context.close()
  }
}

type Run = Record<Category, number> & { lcp: number; tbt: number }
/** The part of Lighthouse's own report that is read here. */
type Report = {
  categories: Partial<Record<Category, { score: number | null }>>
  audits: Record<string, { numericValue?: number } | undefined>
}

/** The browser that Lighthouse uses, and where its report goes. */
type Place = { port: number; file: string }

async function scores(url: string, place: Place, times: number): Promise<Run[]> {
  const runs: Run[] = []
  for (let n = 0; n < times; n++) {
    const { categories: scored, audits } = await reportOf(url, place)
    const score = (name: Category) => Math.round((scored[name]?.score ?? Number.NaN) * 100)
    runs.push({
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      lcp: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
      tbt: audits['total-blocking-time']?.numericValue ?? Number.NaN,
    })
  }
  return runs
}

async function reportOf(url: string, { port, file }: Place): Promise<Report> {
  rmSync(file, { force: true })
  const options = [
    `--port=${port}`,
    `--only-categories=${names.join(',')}`,
    // The session lies in the browser's storage, and must stay there.
    '--disable-storage-reset',
    '--no-enable-error-reporting',
    '--quiet',
    '--output=json',
    // It can exit before a pipe has received all its output, so it writes to a file.
    `--output-path=${file}`,
  ]
  const program = [join(folder, 'cli/index.js'), url, ...options]
  await promisify(execFile)(process.execPath, program, { timeout: 180_000 }).catch((error: Error) => {
    // It ends with an error where a page could not be measured, and its report says what of it could.
    if (!existsSync(file)) throw error
  })
  return JSON.parse(readFileSync(file, 'utf8')) as Report // as: what `--output=json` writes
}

function judgeAll(page: string, runs: Run[], note = 'the screen is not there yet'): Figure[] {
  return names.map(name => {
    const middle = (pick: (run: Run) => number) => median(runs.map(pick))
    return judge({
      row: 'lighthouse',
      what: `Lighthouse mobile, ${page}: ${name}`,
      value: runs.length ? middle(run => run[name]) : null,
      unit: '',
      better: 'more',
      ...categories[name],
      details: !runs.length
        ? { note }
        : name === 'performance'
          ? { 'LCP ms': middle(run => run.lcp), 'TBT ms': middle(run => run.tbt) }
          : {},
    })
  })
}

/** Lighthouse drives a page of its own; others would take its processor time. */
async function keepOnePage(context: BrowserContext) {
  const [first, ...others] = context.pages()
  await Promise.all(others.map(page => page.close()))
  await first?.goto('about:blank')
}
