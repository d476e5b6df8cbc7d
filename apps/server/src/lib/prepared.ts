const named = /^\/\* prepared as ([\w/]+) \*\//

/** A statement that each connection plans once: for a text that never varies under its name, and is dear to plan. */
export const preparedAs = (name: string, text: string) => `/* prepared as ${name} */ ${text}`

/** The name that `preparedAs` gave a statement. */
export const nameOf = (text: string): string | undefined => named.exec(text)?.[1]
