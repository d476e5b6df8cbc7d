const named = /^\/\* prepared as ([\w/]+) \*\//

/** A statement that each connection plans once: for a text that never varies under its name, and is dear to plan. */
export const preparedAs = (name: string, text: string) => `/* prepared as ${name} */ ${text}`

/** The name that `preparedAs` gave a statement. */
export const nameOf = (text: string): string | undefined => named.exec(text)?.[1]

/**
 * Names statements by their texts, the first so many of them: what varies without end must not fill the database's
 * memory with plans.
 */
export function namesOfTexts(limit: number): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return text => {
    const known = names.get(text)
    if (known || names.size === limit) return known
    const name = `text/${names.size + 1}`
    names.set(text, name)
    return name
  }
}
