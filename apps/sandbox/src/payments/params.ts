import { invalid } from '../http/api-error.ts'

type MetadataInput = Record<string, string | number | null> | '' | null | undefined

/** Merges metadata as Stripe does: a null value removes its key, null for all metadata removes all keys. */
export function mergeMetadata(current: Record<string, string> | null | undefined, input: MetadataInput) {
  if (input === undefined) return { ...current }
  if (input === null || input === '') return {}
  const merged = { ...current }
  for (const [key, value] of Object.entries(input)) {
    if (key.length > 40) throw invalid('Metadata keys can be up to 40 characters long.', `metadata[${key}]`)
    if (String(value).length > 500)
      throw invalid('Metadata values can be up to 500 characters long.', `metadata[${key}]`)
    if (value === null || value === '') delete merged[key]
    else merged[key] = String(value)
  }
  return merged
}

/** Sets the named fields that the request contains; null unsets a field. */
export function assignFields<T extends object>(
  target: T,
  input: object,
  names: readonly (keyof T & string)[],
) {
  const given = new Map(Object.entries(input))
  for (const name of names) {
    const value = given.get(name)
    // as: the request's schema gives the field the type of the object's field
    if (value !== undefined) target[name] = value as T[typeof name]
  }
}
