import { createHash } from 'node:crypto'

const named = /^\/\* prepared as ([\w/]+) \*\//

/**
 * Names a statement, so that each connection plans it once. The text under a name must never vary. Benchmark rows: `list`
 * and `scale` (docs/decisions/0035).
 */
export const preparedAs = (name: string, text: string) => `/* prepared as ${name} */ ${text}`

/** The name that `preparedAs` gave a statement. */
export const nameOf = (text: string): string | undefined => named.exec(text)?.[1]

/** Longer statements contain lists of values and rarely repeat. */
const longest = 4000

/** Names the first `limit` statements by the hash of their text. The limit keeps plans from filling the database's memory. */
export function namesOfTexts(limit: number): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return text => {
    const known = names.get(text)
    if (known || names.size === limit || text.length > longest) return known
    const name = `text/${createHash('sha256').update(text).digest('base64url')}`
    names.set(text, name)
    return name
  }
}
