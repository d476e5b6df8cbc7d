import { extname } from 'node:path'

/** Phrases that hide the subject or the action of a sentence. */
const indirect =
  /\b(who(?:so)?ever|whom(?:ever)?|somebody|nobody|anybody|everybody|meanwhile|anew|hears? of|(?:is|are|was|were|be|been) told|stands?|stood|doors?|walks?|walked|on (?:its|their) way|away with|let go of|what (?:is|was|are|were|has|had|it|they|a|an))\b/gi

type File = { path: string; text: string }

const strings = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/.source
const scriptComment = new RegExp(
  `${strings}|(?<comment>\\/\\*[\\s\\S]*?\\*\\/|(?<![:\\\\])\\/\\/[^\\n]*)`,
  'g',
)
const sqlComment = /(?<comment>--[^\n]*)/g
const title =
  /\b(?:test|it|describe)(?:\.\w+(?:\([\s\S]*?\))?)?\(\s*(['"`])(?<title>(?:(?!\1)[^\\\n]|\\.)+)\1/g

/** Comments of a file, and the titles of its tests without their requirement tags, each with its line. */
export function proseOf({ path, text }: File): { line: number; text: string }[] {
  const lineOf = (index: number) => text.slice(0, index).split('\n').length
  const comments = text.matchAll(extname(path) === '.sql' ? sqlComment : scriptComment)
  const titles = /\.(test|spec)\.tsx?$/.test(path) ? text.matchAll(title) : []
  return [
    ...[...comments].map(match => ({ line: lineOf(match.index), text: match.groups?.comment ?? '' })),
    ...[...titles].map(match => ({
      line: lineOf(match.index),
      text: (match.groups?.title ?? '').replace(/\[[^\]]*\]/g, ''),
    })),
  ].filter(prose => prose.text !== '')
}

const phrasesIn = (text: string): string[] => [...text.matchAll(indirect)].map(([phrase]) => phrase)

/** Indirect phrases of a file. */
export const phrasesOf = (file: File): { line: number; phrase: string }[] =>
  proseOf(file).flatMap(({ line, text }) => phrasesIn(text).map(phrase => ({ line, phrase })))

/** Indirect phrases in 1,000 words of prose. */
export function phraseRate(files: File[]): { words: number; rate: number } {
  let words = 0
  let phrases = 0
  for (const { text } of files.flatMap(proseOf)) {
    words += text.match(/[\p{L}’']+/gu)?.length ?? 0
    phrases += phrasesIn(text).length
  }
  return { words, rate: words === 0 ? 0 : (phrases / words) * 1000 }
}
