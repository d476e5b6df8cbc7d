import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, inject } from 'vitest'
import { createTestDatabase } from '../harness.ts'
import { paymentsOf } from '../payments.ts'
import { compileCache } from './compile-cache.ts'

/** Ends the server with the process of the test, also when the test failed before it stopped it. */
const endWithParent = new URL('../../../../scripts/lib/end-with-parent.ts', import.meta.url).href
const ownMain = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/**
 * How a process runs that lives for seconds: to make its database's code fast would take a third of its work. The same
 * for each: what one has compiled serves those alone that run with the same.
 */
export const shortLivedFlags = ['--disable-warning=ExperimentalWarning', '--liftoff-only']

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * A data folder whose database a server has made before: its first start would take longer than all that follows.
 * @param parts folders to make in the temporary one, for a longer path
 */
export async function createDataFolder(...parts: string[]): Promise<string> {
  const template = inject('templateFolder')
  // Beside the template, with which it goes.
  const folder = join(await mkdtemp(join(dirname(template), 'own-')), ...parts)
  // By the system, in one go: file by file it takes the tests' own thread a quarter of a second.
  cpSync(template, join(folder, 'postgres'), { recursive: true })
  return folder
}

/**
 * A data folder, and on the suite's PostgreSQL server a database, for servers that a test starts and kills. Call it at
 * the top of a test file; both are removed after it.
 */
export async function createServerEnv(): Promise<{ DATA_DIR: string; DATABASE_URL?: string }> {
  const DATA_DIR = await createDataFolder()
  const { url, drop } = await createTestDatabase()
  afterAll(async () => {
    await drop()
    await rm(DATA_DIR, { recursive: true, force: true })
  })
  return { DATA_DIR, ...(url !== null && { DATABASE_URL: url }) }
}

/** The sandbox would send all that happens to a server that is gone, and again: to each that any test has started. */
async function removeWebhookEndpoint(sandboxPort: string | number, port: number) {
  const { api, list } = paymentsOf(`http://127.0.0.1:${sandboxPort}`)
  const endpoints = await list('/v1/webhook_endpoints', {})
  for (const { id, url } of endpoints)
    if (new URL(String(url)).port === String(port)) await api('DELETE', `/v1/webhook_endpoints/${id}`)
}

/**
 * The real server as its own process, for tests that kill it. It uses the suite's sandbox.
 * @param main the program of another checkout
 * @returns when it is ready, or at once with expectReady false
 */
export async function startServer(
  env: Record<string, string>,
  { expectReady = true, main = ownMain }: { expectReady?: boolean; main?: string } = {},
) {
  const port = await freePort()
  const sandbox = inject('sandbox')
  const child = spawn(process.execPath, [...shortLivedFlags, '--import', endWithParent, main], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      NODE_COMPILE_CACHE: compileCache,
      PORT: String(port),
      SANDBOX_PORT: String(sandbox.port),
      SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
      RATE_LIMIT_FACTOR: '1000',
      SEED_DEMO: '0',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('The server has no output')
  let output = ''
  let errors = ''
  stdout.on('data', chunk => (output += chunk))
  stderr.on('data', chunk => (errors += chunk))
  // Its last lines may be read after it is gone.
  const exited = once(child, 'close').then(async ([code, signal]) => {
    await removeWebhookEndpoint(env.SANDBOX_PORT ?? sandbox.port, port).catch(error => {
      // A sandbox that is gone sends nothing: then `fetch` itself fails.
      if (!(error instanceof TypeError)) throw error
    })
    return code ?? signal
  })
  if (expectReady) {
    await Promise.race([
      (async () => {
        while (!output.includes('Plinth is ready')) await once(stdout, 'data')
      })(),
      exited.then(code => {
        throw new Error(`The server ended with ${code}: ${errors}${output}`)
      }),
    ])
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid,
    exited,
    output: () => output,
    errors: () => errors,
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      return exited
    },
  }
}
