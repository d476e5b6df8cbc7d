import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export type Proof = { tag: string; file: string; title: string }

const TAG = /\[([a-z]+:[^[\]]+)\]/g
const RUNNERS = new Set(['test', 'it', 'describe'])
/** A test that is not run proves nothing. */
const NOT_RUN = new Set(['skip', 'todo', 'fixme'])

/** For `test.each(rows)` and the like: the words of the callee, from the runner outwards. */
function calleeWords(node: ts.Expression): string[] {
  if (ts.isIdentifier(node)) return [node.text]
  if (ts.isPropertyAccessExpression(node)) return [...calleeWords(node.expression), node.name.text]
  if (ts.isCallExpression(node)) return calleeWords(node.expression)
  if (ts.isTaggedTemplateExpression(node)) return calleeWords(node.tag)
  return []
}

/** A title's literal text without its run-time values, so a tag must be written in full. */
function titleText(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(span => `…${span.literal.text}`).join('')
  }
  return undefined
}

type Tables = Map<string, ts.ArrayLiteralExpression>

/** `as const`, `satisfies` and types around a literal say nothing about its rows. */
function bare(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ? bare(node.expression) : node
}

/** The named arrays of the file: a table of cases is often declared above its test. */
function namedTables(source: ts.SourceFile): Tables {
  const tables: Tables = new Map()
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      const value = initializer && bare(initializer)
      if (ts.isIdentifier(name) && value && ts.isArrayLiteralExpression(value)) tables.set(name.text, value)
    }
  }
  return tables
}

/** What `test.each(rows)` puts first into its titles, as far as it is written out in this file. */
function firstCells(callee: ts.Expression, tables: Tables): string[] {
  const given = ts.isCallExpression(callee) ? callee.arguments[0] : undefined
  if (given === undefined) return []
  const named = ts.isIdentifier(given) ? tables.get(given.text) : bare(given)
  if (named === undefined || !ts.isArrayLiteralExpression(named)) return []
  return named.elements
    .map(row => (ts.isArrayLiteralExpression(row) ? row.elements[0] : row))
    .flatMap(cell => (cell !== undefined && ts.isStringLiteralLike(cell) ? [cell.text] : []))
}

/** Every tag in the titles of the tests of one file. */
export function proofsIn(file: string, text: string): Proof[] {
  const proofs: Proof[] = []
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, false, kind)
  const tables = namedTables(source)
  const collect = (title: string) => {
    for (const [, tag] of title.matchAll(TAG)) {
      if (tag !== undefined) proofs.push({ tag, file, title: title.replace(TAG, '').trim() })
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const words = calleeWords(node.expression)
      const runner = RUNNERS.has(words[0] ?? '')
      if (runner && words.some(word => NOT_RUN.has(word))) return
      const title = runner ? titleText(node.arguments[0]) : undefined
      // A tag that is filled in from a table is one tag for each row.
      if (title && /\[[a-z]+:[^\]]*%s/.test(title)) {
        for (const cell of firstCells(node.expression, tables)) collect(title.replace('%s', cell))
      } else if (title) collect(title)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return proofs
}

/** Every tag in every test of the project, in the order of the files' names. */
export function allProofs(root: string): Proof[] {
  const files = globSync(['{apps,packages}/*/{src,test,plugins}/**/*.test.{ts,tsx}', 'e2e/**/*.spec.ts'], {
    cwd: root,
  })
  return files
    .map(file => file.replaceAll('\\', '/'))
    .sort()
    .flatMap(file => proofsIn(file, readFileSync(join(root, file), 'utf8')))
}
