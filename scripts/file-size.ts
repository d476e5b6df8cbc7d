import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LIMIT = 350
const GENERATED = /(\.generated\.tsx?|\/generated\/.*)$/

/** Our own TypeScript files: what git would track, or everything when this is not a checkout. */
function sources(root: string): string[] {
  if (existsSync(join(root, '.git'))) {
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
      cwd: root,
      encoding: 'utf8',
    })
    return listed.split('\n').filter(path => path !== '' && existsSync(join(root, path)))
  }
  return globSync('{apps,packages,scripts,bench,e2e}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: path => path.includes('node_modules') || path.endsWith('dist'),
  })
}

/** Files that are too long to be read in one go, longest first. */
export function tooLong(root: string): { path: string; lines: number }[] {
  const files = sources(root).filter(path => !GENERATED.test(`/${path}`))
  if (files.length === 0) throw new Error('No TypeScript file was found: nothing was measured.')
  return files
    .map(path => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }))
    .filter(file => file.lines > LIMIT)
    .sort((a, b) => b.lines - a.lines)
}

if (import.meta.main) {
  const long = tooLong(join(import.meta.dirname, '..'))
  for (const { path, lines } of long)
    console.error(`${path} has ${lines} lines, ${LIMIT} at most: split it by noun`)
  process.exitCode = long.length > 0 ? 1 : 0
}
