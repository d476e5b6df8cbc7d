import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenReferences, referencesIn } from './file-references.ts'

const root = join(import.meta.dirname, '..')
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')

/** Files that exist only after a command, or only at the reader. */
const untracked = ['.cache/coverage.md', 'acme.sql']

test('comments and documents name only files that exist', () => {
  const files = tracked.filter(
    path =>
      /\.(?:tsx?|sql|mjs|cjs|md)$/.test(path) &&
      !path.includes('generated') &&
      path !== 'scripts/file-references.test.ts',
  )
  const references = files.flatMap(path => referencesIn(path, readFileSync(join(root, path), 'utf8')))
  expect(references.length).toBeGreaterThan(100)
  const broken = brokenReferences(references, tracked).filter(({ name }) => !untracked.includes(name))
  expect(broken.map(({ file, line, name }) => `${file}:${line}: ${name}`)).toEqual([])
})

const known = ['docs/a.md', 'apps/server/src/endpoint/mount.ts']
const brokenIn = (file: string, source: string) =>
  brokenReferences(referencesIn(file, source), known).map(({ name }) => name)

test.each([
  ['a file name', '// See mount.ts.'],
  ['the end of a path', '// See endpoint/mount.ts.'],
  ['a relative path', '// See ../endpoint/mount.ts.'],
  ['a pattern', '// See *Screen.tsx and <name>.test.ts.'],
  ['a string', "import './gone.ts'"],
])('accepts %s', (_, source) => {
  expect(brokenIn('apps/server/src/server/a.ts', source)).toEqual([])
})

test.each([
  ['an unknown file', '// See gone.ts.', 'gone.ts'],
  ['a known name in an unknown folder', '// See server/mount.ts.', 'server/mount.ts'],
  ['an unknown document', '/** Section 3 of security.md. */', 'security.md'],
])('finds %s', (_, source, name) => {
  expect(brokenIn('apps/server/src/server/a.ts', source)).toEqual([name])
})

test('finds links and file names in Markdown', () => {
  expect(
    brokenIn('docs/a.md', 'See [b](b.md#part), `lib/c.ts`, [a](a.md) and [web](https://x.example/d.md).'),
  ).toEqual(expect.arrayContaining(['b.md', 'lib/c.ts']))
})
