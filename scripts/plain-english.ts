import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Counts indirect phrases in comments and test titles, in 1,000 words, for each area of the repository. Fails above
 * the limit. `node scripts/plain-english.ts --list apps/server/src/db` prints each phrase with its line.
 */
const LIMIT = 2

const indirect =
  /\b(who(?:so)?ever|whom(?:ever)?|somebody|nobody|anybody|everybody|meanwhile|anew|hears? of|(?:is|are|was|were|be|been) told|stands?|stood|doors?|walks?|walked|on (?:its|their) way|away with|let go of|what (?:is|was|are|were|has|had|it|they|a|an)\b)/gi

const areas = [
  'packages/contract/src',
  'packages/contract/test',
  'apps/server/src',
  'apps/server/test',
  'apps/sandbox/src',
  'apps/sandbox/test',
  'apps/web',
  'e2e',
  'bench',
  'scripts',
]

type Text = { file: string; line: number; text: string }

/** Comments of a file, without the code around them. */
export function commentsOf(source: string, extension: string): { line: number; text: string }[] {
  const pattern = commentPatterns[extension]
  if (!pattern) return []
  return [...source.matchAll(pattern)].flatMap(match => {
    const text = match.groups?.comment
    return text ? [{ line: source.slice(0, match.index).split('\n').length, text }] : []
  })
}

const strings = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/.source
const script = new RegExp(`${strings}|(?<comment>\\/\\*[\\s\\S]*?\\*\\/|(?<![:\\\\])\\/\\/[^\\n]*)`, 'g')
const commentPatterns: Record<string, RegExp> = {
  '.ts': script,
  '.tsx': script,
  '.mjs': script,
  '.cjs': script,
  '.js': script,
  '.css': /(?<comment>\/\*[\s\S]*?\*\/)/g,
  '.sql': /(?<comment>--[^\n]*)/g,
}

/** Titles of tests and suites. */
export function titlesOf(source: string): { line: number; text: string }[] {
  const title =
    /\b(?:test|it|describe)(?:\.\w+(?:\([\s\S]*?\))?)?\(\s*(['"`])(?<title>(?:(?!\1)[^\\\n]|\\.)+)\1/g
  return [...source.matchAll(title)].map(match => ({
    line: source.slice(0, match.index).split('\n').length,
    text: (match.groups?.title ?? '').replace(/\[[^\]]*\]/g, ''),
  }))
}

export const countIndirect = (text: string) => [...text.matchAll(indirect)].map(match => match[0])
export const countWords = (text: string) => text.match(/[\p{L}’']+/gu)?.length ?? 0

function textsOf(file: string): Text[] {
  const source = readFileSync(file, 'utf8')
  const isTest = /\.(test|spec)\.tsx?$/.test(file)
  const found = [...commentsOf(source, extname(file)), ...(isTest ? titlesOf(source) : [])]
  return found.map(entry => ({ file, ...entry }))
}

function report(listed: string | undefined) {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter(file => extname(file) in commentPatterns && !file.includes('generated'))
  if (listed) {
    for (const { file, line, text } of files.filter(one => one.startsWith(listed)).flatMap(textsOf))
      for (const phrase of countIndirect(text)) console.log(`${file}:${line}: ${phrase}`)
    return
  }
  for (const area of areas) {
    const texts = files.filter(file => file.startsWith(`${area}/`)).flatMap(textsOf)
    const words = texts.reduce((sum, { text }) => sum + countWords(text), 0)
    const phrases = texts.reduce((sum, { text }) => sum + countIndirect(text).length, 0)
    const rate = words === 0 ? 0 : (phrases / words) * 1000
    console.log(
      `${area.padEnd(24)} ${String(words).padStart(6)} words  ${rate.toFixed(1).padStart(5)} in 1,000`,
    )
    if (rate > LIMIT) process.exitCode = 1
  }
}

if (process.argv[1] === import.meta.filename) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean', default: false } },
  })
  report(values.list ? (positionals[0] ?? '') : undefined)
}
