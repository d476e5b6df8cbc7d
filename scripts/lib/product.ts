import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Child, startChild, waitForReady } from './children.ts'

type Environment = Record<string, string | undefined>
export type Shared = { PORT: string; SANDBOX_PORT: string; DATA_DIR: string; NODE_COMPILE_CACHE: string }

/**
 * What the children must agree on. A wrong PORT is passed on untouched: the server names a wrong variable
 * better than a guess here could.
 */
export function sharedEnvironment(root: string, env: Environment): Shared {
  const port = env.PORT || '5000'
  const sandboxPort = /^\d+$/.test(port) ? String(Number(port) + 1) : '5001'
  return {
    PORT: port,
    SANDBOX_PORT: env.SANDBOX_PORT || sandboxPort,
    DATA_DIR: resolve(root, env.DATA_DIR || 'data'),
    // Node caches the compiled files, so that later starts do not strip types and compile again.
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE || join(root, '.cache/compile'),
  }
}

/**
 * Starts the sandbox and waits until it listens.
 * @param appUrl the product's address in the browser; the only origin that may call the sandbox from a page
 */
export async function startSandbox(shared: Shared, appUrl: string): Promise<Child> {
  mkdirSync(shared.DATA_DIR, { recursive: true, mode: 0o700 })
  const sandbox = startChild('The sandbox', ['apps/sandbox/src/main.ts'], {
    env: { ...shared, APP_URL: appUrl },
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
