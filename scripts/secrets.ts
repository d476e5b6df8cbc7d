import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Names of secret values. A timing difference would let a client guess them letter by letter. */
const secretName = /(token|secret|hash|signature|digest|password|full_key|backup)/i
/** Names of facts about a secret, not of the secret. */
const aboutName = /(kind|type|purpose|length|count|error|name|state|mode|field|label|_at|id)$/i

/**
 * Places where a secret is compared with === or !==, which takes longer the more of it is right (T-86). Secrets are
 * looked up by their hash, or compared by timingSafeEqual.
 */
export function comparedSecrets(root: string): string[] {
  return globSync('apps/server/src/**/*.ts', { cwd: root })
    .filter(file => !/\.(test|fixture|generated)\.ts$/.test(file))
    .flatMap(file => comparisonsIn(file, readFileSync(join(root, file), 'utf8')))
}

export function comparisonsIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (
      ts.isBinaryExpression(node) &&
      isComparison(node) &&
      isSecret(node.left) &&
      isSecret(node.right, true)
    ) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      found.push(`${file}:${line + 1} ${node.getText()}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const isComparison = ({ operatorToken: { kind } }: ts.BinaryExpression) =>
  kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken

/** @param either whether any value that is not written in the code will do: one side named like a secret is enough */
function isSecret(node: ts.Expression, either = false): boolean {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return false
  const words = node.getText().replace(/\(.*\)/gs, '')
  const last = words.split('.').at(-1) ?? words
  if (/^(null|undefined|true|false)$/.test(last)) return false
  return either || (secretName.test(last) && !aboutName.test(last))
}

/**
 * Places where chance comes from: `Math.random` can be guessed from what came before, and bytes that are made at a new
 * place are looked at there first (T-86).
 */
export function chanceIn(file: string, text: string): string[] {
  return [
    ...text.matchAll(/\b(Math\.random|randomBytes|randomUUID|randomInt|getRandomValues|newToken)\(/g),
  ].map(([, source]) => `${file} ${source}`)
}

export function placesOfChance(root: string): string[] {
  const found = globSync('{apps/server,packages/contract}/src/**/*.ts', { cwd: root })
    .filter(file => !/\.(test|fixture|generated)\.ts$/.test(file))
    .flatMap(file => chanceIn(file, readFileSync(join(root, file), 'utf8')))
  return [...new Set(found)]
}
