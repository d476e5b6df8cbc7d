import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../../../scripts/lib/ports.ts'
import { expect } from '../test.ts'
import { sandboxUrl } from '../urls.ts'

/** A second server starts beside the first one on a busy machine. */
const startTimeoutMs = 150_000
/** It lives for a minute or two: to make its database's code fast would take longer than that saves. */
const briefly = '--liftoff-only'

export type SeparateServer = { origin: string; process: ChildProcess }

/**
 * Another installation than the one under test, for as long as `use` takes: with payment keys of its own, so that the
 * sandbox which both share sends it no notices, and with a folder that goes with it.
 * @param preload modules to load before the product
 */
export async function withSeparateServer(
  env: Record<string, string>,
  use: (server: SeparateServer) => Promise<void>,
  preload: string[] = [],
): Promise<void> {
  const port = await freePorts(1)
  const origin = `http://localhost:${port}`
  const data = mkdtempSync(join(tmpdir(), 'plinth-own-'))
  const imports = ['./scripts/lib/end-with-parent.ts', ...preload].flatMap(file => ['--import', file])
  const child = spawn(process.execPath, [briefly, ...imports, 'apps/server/src/main.ts'], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      PUBLIC_URL: origin,
      DATA_DIR: data,
      STRIPE_SECRET_KEY: 'sk_test_journeys',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
      STRIPE_WEBHOOK_SECRET: 'whsec_journeys',
      STRIPE_API_BASE: sandboxUrl,
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: '.cache/compile',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const ready = () =>
    fetch(`${origin}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  try {
    await expect.poll(ready, { timeout: startTimeoutMs }).toBe(true)
    await use({ origin, process: child })
  } finally {
    child.kill('SIGTERM')
    await gone
    rmSync(data, { recursive: true, force: true })
  }
}

/** The port of the sandbox's mail server. */
export const sandboxSmtpPort = Number(new URL(sandboxUrl).port) + 1
