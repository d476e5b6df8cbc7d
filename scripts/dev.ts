import { join } from 'node:path'
import { startChild, stopChild } from './lib/children.ts'
import { loadEnvFile, wantsSandbox } from './lib/environment.ts'
import { sharedEnvironment, startSandbox } from './lib/product.ts'
import { findStartProblems } from './lib/start-check.ts'
import { supervise } from './lib/supervise.ts'

/** `npm run dev`: sandbox, server that restarts on a change, and Vite, which keeps the page. */
const WEB = 'http://localhost:5173'
const root = join(import.meta.dirname, '..')
process.chdir(root)

try {
  loadEnvFile(root)
  const shared = { ...sharedEnvironment(root, process.env), PUBLIC_URL: process.env.PUBLIC_URL || WEB }
  const problems = await findStartProblems(shared, process.env, wantsSandbox(process.env))
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const sandbox = wantsSandbox(process.env) ? [await startSandbox(shared, shared.PUBLIC_URL)] : []
  // Whole folders, because texts and SQL files are read, not imported.
  const watched = ['apps/server/src', 'packages/contract/src'].map(path => `--watch-path=${path}`)
  const server = startChild(
    'The server',
    ['--watch', '--watch-preserve-output', ...watched, 'apps/server/src/main.ts'],
    { env: shared, plain: true },
  )
  const web = startChild('Vite', [join(root, 'node_modules/vite/bin/vite.js'), '--strictPort'], {
    cwd: join(root, 'apps/web'),
    env: { ...shared, PLINTH_API: `http://127.0.0.1:${shared.PORT}` },
    plain: true,
  })
  const children = [server, web, ...sandbox]
  console.log(`\n  Develop at ${WEB} (Vite); the server restarts by itself.\n`)
  process.exitCode = await supervise(children)
  await Promise.all(children.map(child => stopChild(child, 'SIGTERM', 5)))
} catch (error) {
  console.error(`\nPlinth can't start.\n${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
