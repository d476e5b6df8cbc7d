import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Child, startChild, waitForReady } from './children.ts'

/**
 * The addresses the children must agree on. A bad PORT is passed on untouched: the server names a wrong
 * variable better than a guess here could.
 */
export function sharedEnvironment(
  root: string,
  env: Record<string, string | undefined>,
  publicUrl?: string,
): Record<string, string> {
  const port = env.PORT || '5000'
  const sandboxPort = env.SANDBOX_PORT || (/^\d+$/.test(port) ? String(Number(port) + 1) : '5001')
  return {
    PORT: port,
    SANDBOX_PORT: sandboxPort,
    PUBLIC_URL: env.PUBLIC_URL || publicUrl || `http://localhost:${port}`,
    DATA_DIR: resolve(root, env.DATA_DIR || 'data'),
  }
}

/** Starts the outside world's stand-in and waits until it listens. */
export async function startSandbox(shared: Record<string, string>): Promise<Child> {
  mkdirSync(shared.DATA_DIR ?? 'data', { recursive: true, mode: 0o700 })
  const sandbox = startChild('The sandbox', ['apps/sandbox/src/main.ts'], {
    env: { ...shared, APP_URL: shared.PUBLIC_URL ?? '' },
    readOutput: true,
  })
  try {
    await waitForReady(sandbox, 30)
  } catch (error) {
    sandbox.process.kill('SIGKILL')
    throw error
  }
  return sandbox
}
