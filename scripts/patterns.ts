import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSafe } from 'redos-detector'
import ts from 'typescript'

/** Sources that read what strangers send, or show it. */
const places = '{apps/server,apps/web,packages/contract}/src/**/*.{ts,tsx}'

export type Pattern = { file: string; line: number; pattern: RegExp }

const sources = (root: string): [file: string, text: string][] =>
  globSync(places, { cwd: root })
    .filter(file => !/\.(test|fixture|generated)\.tsx?$/.test(file))
    .map(file => [file, readFileSync(join(root, file), 'utf8')])

/** Every regular expression written in our own code. */
export const patterns = (root: string): Pattern[] =>
  sources(root).flatMap(([file, text]) => patternsOf(file, text))

/** Files that put regular expressions together from texts, which nothing here reads. */
export const composing = (root: string): string[] =>
  sources(root).flatMap(([file, text]) => (/\bRegExp\(/.test(text) ? [file] : []))

export function patternsOf(file: string, text: string): Pattern[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Pattern[] = []
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1))
      found.push({ file, line: line + 1, pattern })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/**
 * Why a pattern can take time out of proportion to the text, or null. Analysed without running it.
 * @param timeout milliseconds after which an unfinished analysis reports the pattern as slow
 */
export function whySlow(pattern: RegExp, timeout = 5_000): string | null {
  // The checker reads no class set operations; none of ours need the flag to mean the same.
  const { safe, error } = isSafe(pattern, { maxScore: 200, timeout })
  return safe ? null : (error ?? 'it backtracks')
}
