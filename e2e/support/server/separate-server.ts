import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../../../scripts/lib/ports.ts'
import { expect } from '../test.ts'
import { sandboxUrl } from '../urls.ts'

/** Long enough for a second server to start on a busy machine. */
const startTimeoutMs = 150_000
/** The server runs for a minute or two: optimizing the WebAssembly of its database would take longer than it saves. */
const fastStart = '--liftoff-only'

export type SeparateServer = { origin: string; process: ChildProcess }

/**
 * Runs a second server while `use` runs, with its own payment keys, so that the shared sandbox sends it no webhooks, and
 * a temporary data folder.
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
  const child = spawn(process.execPath, [fastStart, ...imports, 'apps/server/src/main.ts'], {
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
  const exited = once(child, 'exit')
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
    await exited
    rmSync(data, { recursive: true, force: true })
  }
}

export const sandboxSmtpPort = Number(new URL(sandboxUrl).port) + 1
