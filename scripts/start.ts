import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, startChild, stopChild } from './lib/children.ts'
import { loadEnvFile, wantsSandbox } from './lib/environment.ts'
import { sharedEnvironment, startSandbox } from './lib/product.ts'
import { findStartProblems } from './lib/start-check.ts'
import { supervise } from './lib/supervise.ts'
import { buildWeb, webBuildIsCurrent } from './lib/web-build.ts'

/** `npm start`: the whole product from one command. The server prints where everything is. */
const root = join(import.meta.dirname, '..')
process.chdir(root)

let sandbox: Child | undefined
try {
  loadEnvFile(root)
  // A process that only works through jobs serves no page.
  if (process.env.ROLE !== 'worker' && !webBuildIsCurrent(root)) {
    console.log(
      existsSync('apps/web/dist/index.html') ? 'Building the web app again…' : 'Building the web app…',
    )
    await buildWeb(root)
  }
  const shared = sharedEnvironment(root, process.env)
  const problems = await findStartProblems(shared, process.env, wantsSandbox(process.env))
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const appUrl = process.env.PUBLIC_URL || `http://localhost:${shared.PORT}`
  if (wantsSandbox(process.env)) sandbox = await startSandbox(shared, appUrl)
  const server = startChild('The server', ['apps/server/src/main.ts'], { env: shared })
  process.exitCode = await supervise(sandbox ? [server, sandbox] : [server])
} catch (error) {
  console.error(`\nPlinth can't start.\n${error instanceof Error ? error.message : error}\n`)
  if (sandbox) await stopChild(sandbox, 'SIGTERM', 5)
  process.exitCode = 1
}
