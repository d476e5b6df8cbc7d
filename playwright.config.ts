import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findBrowser } from './scripts/browser.ts'
import { freePorts } from './scripts/lib/ports.ts'

const strict = process.env.CI !== undefined || process.env.PLINTH_STRICT_TESTS === '1'

// Workers read this file again: what the first reading chose travels to them in the environment.
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

/**
 * Whether the processes of a browser can pass pictures through memory: Playwright has them do it by files, for small
 * containers.
 */
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
  // `expired` goes one by one, on a server of its own: begun last it would be waited for.
  projects: [
    { name: 'first', testMatch: '**/expired.spec.ts' },
    { name: 'journeys', testMatch: '**/*.spec.ts', testIgnore: '**/expired.spec.ts' },
  ],
  outputDir: 'test-results',
  forbidOnly: strict,
  fullyParallel: true,
  workers: 3,
  // A journey that only passes on a second try hides a fault from us and shows it to users.
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    baseURL: process.env.PLINTH_E2E_URL,
    locale: 'en-GB',
    // To write down what every journey does takes a sixth of the machine. Who needs it: --trace retain-on-failure.
    trace: 'off',
    // Nor a picture of each: support/test.ts takes one of what failed.
    screenshot: 'off',
    launchOptions: {
      ...(executablePath && { executablePath }),
      ...(memoryIsShared() && { ignoreDefaultArgs: ['--disable-dev-shm-usage'] }),
      // There is no graphics card to ask, and to pretend to have one costs a tenth of every page; another goes to code
      // that would be fast once a page had stood for minutes. What one browser opens after the other shares a process:
      // each new one costs as much as a page. Nor is there anybody who scrolls: few large tiles are less work to draw
      // than many small ones. Chromium refuses its own sandbox to root.
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
      // A developer's own .env or shell must not reach the journeys.
      DATABASE_URL: '',
      SMTP_URL: '',
      STRIPE_SECRET_KEY: '',
      REDIS_URL: '',
      // So that a journey can come from another network.
      TRUST_PROXY: 'loopback',
      // Hundreds of sign-ups from one address in a minute are the journeys' work, not an attack.
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'warn',
    },
  },
})
