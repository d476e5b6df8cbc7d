import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.ts'

/** What the web build is made from. Anything else may change without a new build. */
const SOURCES = [
  'apps/web/{src,public,plugins}/**/*',
  'apps/web/{index.html,vite.config.ts,package.json,tsconfig.json}',
  'packages/contract/{src/**/*,package.json}',
  'package-lock.json',
]

/** The stamp lies inside the build, so that a build made elsewhere and copied here is recognised too. */
const STAMP = 'apps/web/dist/.sources'

/** A hash over names and contents of everything the web build reads. */
export function sourcesHash(root: string): string {
  const hash = createHash('sha256')
  const files = SOURCES.flatMap(pattern => globSync(pattern, { cwd: root, withFileTypes: true }))
    .filter(entry => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  for (const file of files) {
    const content = readFileSync(file)
    hash.update(`${file.slice(root.length)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

export function webBuildIsCurrent(root: string): boolean {
  const stamp = join(root, STAMP)
  if (!existsSync(join(root, 'apps/web/dist/index.html')) || !existsSync(stamp)) return false
  return readFileSync(stamp, 'utf8') === sourcesHash(root)
}

/** Builds the web app and stamps the build; throws with the builder's own words when it fails. */
export async function buildWeb(root: string): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) {
    throw new Error('The web app has no current build, and its builder is not installed: run npm ci first.')
  }
  // Hashed before building: an edit during the build must leave it stale, not current.
  const hash = sourcesHash(root)
  const built = await run(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'apps/web'),
    env: { NODE_ENV: 'production' },
    timeoutSeconds: 240,
  })
  if (built.code !== 0) throw new Error(`The web app could not be built:\n${built.output.trim()}`)
  writeFileSync(join(root, STAMP), hash)
}
