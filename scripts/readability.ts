import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { phraseRate, phrasesOf } from './indirect-phrases.ts'

/**
 * Checks that the code stays readable: the length of files, the number of files in a folder, and indirect phrases in
 * comments and test titles. `node scripts/readability.ts --phrases apps/server/src/db` lists the phrases of a folder.
 */
const MOST_LINES = 350
const MOST_FILES = 32
/** In 1,000 words of comments and test titles. */
const MOST_PHRASES = 2
/** Areas whose folders and phrases are checked. */
const AREAS = ['packages/contract', 'apps/server', 'apps/sandbox', 'scripts', 'bench', 'e2e', 'apps/web']

const GENERATED = /(\.generated\.tsx?|\/generated\/.*)$/
const TEST = /\.(test|spec)\.tsx?$/

/** Our own source files: what git would track, or everything when this is not a checkout. */
function sources(root: string): string[] {
  const patterns = ['ts', 'tsx', 'sql'].map(extension => `*.${extension}`)
  if (existsSync(join(root, '.git'))) {
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], {
      cwd: root,
      encoding: 'utf8',
    })
    return listed.split('\n').filter(path => path !== '' && existsSync(join(root, path)))
  }
  return globSync('{apps,packages,scripts,bench,e2e}/**/*.{ts,tsx,sql}', {
    cwd: root,
    exclude: path => path.includes('node_modules') || path.endsWith('dist'),
  })
}

export type Readability = {
  longFiles: { path: string; lines: number }[]
  fullFolders: { path: string; files: number }[]
  areas: { path: string; words: number; rate: number }[]
}

/** What exceeds a limit, and the rate of indirect phrases of each area. Throws when there is nothing to measure. */
export function measure(root: string, areas = AREAS): Readability {
  const files = sources(root).filter(path => !GENERATED.test(`/${path}`))
  if (files.length === 0) throw new Error('No source file was found: nothing was measured.')
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const isInArea = (path: string) => areas.some(area => path.startsWith(`${area}/`))
  const counts = new Map<string, number>()
  for (const path of files.filter(one => isInArea(one) && /\.tsx?$/.test(one) && !TEST.test(one)))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return {
    longFiles: files
      .filter(path => /\.tsx?$/.test(path))
      .map(path => ({ path, lines: read(path).split('\n').length - 1 }))
      .filter(({ lines }) => lines > MOST_LINES)
      .sort((a, b) => b.lines - a.lines),
    fullFolders: [...counts].flatMap(([path, number]) =>
      number > MOST_FILES ? [{ path, files: number }] : [],
    ),
    areas: areas.map(area => ({
      path: area,
      ...phraseRate(
        files.filter(path => path.startsWith(`${area}/`)).map(path => ({ path, text: read(path) })),
      ),
    })),
  }
}

function report(root: string) {
  const { longFiles, fullFolders, areas } = measure(root)
  const wordy = areas.filter(({ rate }) => rate > MOST_PHRASES)
  for (const { path, lines } of longFiles)
    console.error(`${path} has ${lines} lines, at most ${MOST_LINES}: split it by noun`)
  for (const { path, files } of fullFolders)
    console.error(`${path} has ${files} files, at most ${MOST_FILES}: sort them into folders by subject`)
  for (const { path, words, rate } of areas)
    console.log(`${path}: ${rate.toFixed(1)} indirect phrases in 1,000 words (${words} words)`)
  for (const { path } of wordy)
    console.error(
      `${path}: more than ${MOST_PHRASES} in 1,000; list them with node scripts/readability.ts --phrases ${path}`,
    )
  process.exitCode = longFiles.length + fullFolders.length + wordy.length > 0 ? 1 : 0
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const { phrases } = parseArgs({ options: { phrases: { type: 'string' } } }).values
  if (phrases === undefined) report(root)
  else
    for (const path of sources(root).filter(one => one.startsWith(phrases)))
      for (const { line, phrase } of phrasesOf({ path, text: readFileSync(join(root, path), 'utf8') }))
        console.log(`${path}:${line}: ${phrase}`)
}
