import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findBrowser } from './scripts/browser.ts'
import { freePorts } from './scripts/lib/ports.ts'

const strict = process.env.CI !== undefined || process.env.PLINTH_STRICT_TESTS === '1'

// Each worker loads this file again: the environment passes the chosen ports and folder on.
process.env.PLINTH_E2E_PORT ??= String(await freePorts(3))
if (process.env.PLINTH_E2E_DATA === undefined) {
  const data = mkdtempSync(join(tmpdir(), 'plinth-e2e-'))
  process.env.PLINTH_E2E_DATA = data
  process.once('exit', () => rmSync(data, { recursive: true, force: true }))
}
process.env.PLINTH_E2E_URL ??= `http://localhost:${process.env.PLINTH_E2E_PORT}`
process.env.PLINTH_E2E_SANDBOX ??= `http://localhost:${Number(process.env.PLINTH_E2E_PORT) + 1}`

const report = process.env.PLINTH_E2E_REPORT
const executablePath = findBrowser()

/** Whether /dev/shm is large enough for the browser. By default Playwright disables it, for small containers. */
function memoryIsShared(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 2 ** 30
  } catch {
    return false // Not Linux.
  }
}

export default defineConfig({
  testDir: 'e2e',
  // `expired` runs its tests one by one on a separate server: start it first, so that it does not end last.
  projects: [
    { name: 'first', testMatch: '**/expired.spec.ts' },
    { name: 'journeys', testMatch: '**/*.spec.ts', testIgnore: '**/expired.spec.ts' },
  ],
  outputDir: 'test-results',
  forbidOnly: strict,
  fullyParallel: true,
  workers: 3,
  // A test that passes only on a retry hides a bug.
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    baseURL: process.env.PLINTH_E2E_URL,
    locale: 'en-GB',
    // Traces take a sixth of the CPU time. When needed: --trace retain-on-failure.
    trace: 'off',
    // support/test.ts takes screenshots of failures.
    screenshot: 'off',
    launchOptions: {
      ...(executablePath && { executablePath }),
      ...(memoryIsShared() && { ignoreDefaultArgs: ['--disable-dev-shm-usage'] }),
      // Flags that save time: GPU emulation costs 10 % of each page load, and so do optimizing compilers, which pay off
      // after minutes. A new renderer process costs as much as a page load. Large tiles are faster to draw than many
      // small ones. Chromium cannot use its sandbox as root.
      args: [
        '--disable-gpu',
        '--js-flags=--no-turbofan --no-maglev',
        '--renderer-process-limit=1',
        '--font-render-hinting=none',
        '--default-tile-width=1024',
        '--default-tile-height=1024',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
  webServer: {
    command: `"${process.execPath}" scripts/start.ts`,
    url: `${process.env.PLINTH_E2E_URL}/ready`,
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 40_000 },
    stdout: 'pipe',
    stderr: 'pipe',
    env: {
      PORT: process.env.PLINTH_E2E_PORT,
      SANDBOX_PORT: String(Number(process.env.PLINTH_E2E_PORT) + 1),
      PUBLIC_URL: process.env.PLINTH_E2E_URL,
      DATA_DIR: process.env.PLINTH_E2E_DATA,
      SANDBOX: '1',
      // Settings of a developer's .env or shell must not affect the tests.
      DATABASE_URL: '',
      SMTP_URL: '',
      STRIPE_SECRET_KEY: '',
      REDIS_URL: '',
      // Lets tests set the client address.
      TRUST_PROXY: 'loopback',
      // The tests sign up hundreds of times a minute from one address.
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'warn',
    },
  },
})
