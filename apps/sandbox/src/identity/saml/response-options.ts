import { invalid } from '../../http/api-error.ts'
import { isRecord } from '../../is-record.ts'

/**
 * Reads the options of a response. A missing option has its correct value, null omits the element, and any other value
 * is used as given.
 */
export type Options = Record<string, unknown>

/** A group of options, such as `conditions`. */
export function group(options: Options, name: string): Options {
  const value = options[name] ?? {}
  if (isRecord(value)) return value
  throw invalid(`${name} must be an object`, name)
}

export function text(options: Options, name: string, proper: string | null): string | null {
  const value = options[name]
  if (value === undefined) return proper
  if (value === null || typeof value === 'string') return value
  throw invalid(`${name} must be a string or null`, name)
}

export function choice<T extends string>(options: Options, name: string, all: readonly [T, ...T[]]): T {
  const value = options[name] ?? all[0]
  const found = all.find(one => one === value)
  if (found) return found
  throw invalid(`${name} must be one of ${all.join(', ')}`, name)
}

/** Real time: the product compares it with its own clock. */
export const instant = (seconds: number) =>
  new Date(Date.now() + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')

/** A time: a number is seconds from now, a text is used as given. */
export function time(options: Options, name: string, proper: number | null): string | null {
  const value = options[name]
  if (typeof value === 'number') return instant(value)
  return text(options, name, proper === null ? null : instant(proper))
}
