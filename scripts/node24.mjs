// The project brings its own Node as a dependency, and npm puts it first on the path. When that did not
// happen (install scripts switched off, or a start without npm), this brings it and goes on with it.
// Plain JavaScript, because an older Node must be able to run it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const NEEDED = 24
const [script, ...rest] = process.argv.slice(2)
const root = fileURLToPath(new URL('..', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  // In this very process: one less link in the chain of signals.
  process.argv = [process.argv[0], script, ...rest]
  await import(pathToFileURL(script).href)
} else {
  const own = `${root}node_modules/node/bin/node`
  if (!existsSync(own)) {
    console.error(`Node ${process.versions.node} is too old and the project's own is missing: fetching it…`)
    spawnSync('npm', ['rebuild', 'node', '--ignore-scripts=false'], { cwd: root, stdio: 'inherit' })
  }
  if (!existsSync(own)) {
    console.error(`Plinth needs Node ${NEEDED}. Run "npm ci" first, or install Node ${NEEDED} yourself.`)
    process.exit(1)
  }
  const child = spawn(own, [script, ...rest], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
}
