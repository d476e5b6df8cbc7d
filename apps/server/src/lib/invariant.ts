/** A value that the program's own logic guarantees; its absence is a bug, not a refusal. */
export function invariant<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`Missing: ${what}`)
  return value
}
