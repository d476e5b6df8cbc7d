import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { invariant } from '../../src/lib/invariant.ts'
import { compileCache } from './compile-cache.ts'

const main = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url))
const endWithParent = new URL('../../../../scripts/lib/end-with-parent.ts', import.meta.url).href

/** Starts the sandbox as its own process, on free ports and in memory. It ends with this one, even one that is killed. */
export async function startSandbox() {
  const flags = ['--disable-warning=ExperimentalWarning', '--import', endWithParent]
  const child = spawn(process.execPath, [...flags, main], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      SANDBOX_PORT: '0',
      SANDBOX_SMTP_PORT: '0',
      SANDBOX_MEMORY: '1',
      SANDBOX_CHECK: '1',
      APP_URL: 'http://localhost:5000',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  for await (const line of createInterface({ input: invariant(child.stdout, 'its output') })) {
    if (!line.startsWith('{')) continue
    const { port, smtpPort } = JSON.parse(line) as { port: number; smtpPort: number } // as: the sandbox's ready line
    return { child, port, smtpPort }
  }
  throw new Error('The sandbox ended before it was ready')
}
