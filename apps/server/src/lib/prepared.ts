import { createHash } from 'node:crypto'

const named = /^\/\* prepared as ([\w/]+) \*\//

/** A statement that each connection plans once: for a text that never varies under its name, and is dear to plan. */
export const preparedAs = (name: string, text: string) => `/* prepared as ${name} */ ${text}`

/** The name that `preparedAs` gave a statement. */
export const nameOf = (text: string): string | undefined => named.exec(text)?.[1]

/** Longer ones list what they are about, and are seldom the same twice. */
const longest = 4000

/**
 * Names statements by their texts, the first so many of them: what varies without end must not fill the database's
 * memory with plans. A text has the same name everywhere, so that no name ever stands for another text.
 */
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
