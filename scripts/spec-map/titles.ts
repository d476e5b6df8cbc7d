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

/** A title's fixed text; what is put in at run time is left out, so a tag must be written whole. */
function titleText(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(span => `…${span.literal.text}`).join('')
  }
  return undefined
}

/** Every tag in the titles of the tests of one file. */
export function proofsIn(file: string, text: string): Proof[] {
  const proofs: Proof[] = []
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const words = calleeWords(node.expression)
      if (words.some(word => NOT_RUN.has(word)) && RUNNERS.has(words[0] ?? '')) return
      const title = RUNNERS.has(words[0] ?? '') ? titleText(node.arguments[0]) : undefined
      for (const [, tag] of title?.matchAll(TAG) ?? []) {
        if (tag !== undefined && title !== undefined)
          proofs.push({ tag, file, title: title.replace(TAG, '').trim() })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, false, kind))
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
