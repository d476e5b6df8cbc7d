import { definition, resolve, type Schema } from './definitions.ts'

/** The emptiest value that a schema allows: null where it may be, else nothing of the right kind. */
function emptiest(schema: Schema): unknown {
  const own = resolve(schema)
  if (own.const !== undefined) return own.const
  if (own.enum) return own.enum[0]
  if (own.anyOf) {
    if (own.anyOf.some(arm => arm.type === 'null')) return null
    const [first] = own.anyOf
    return first ? emptiest(first) : null
  }
  if (Array.isArray(own.type) || own.type === 'null') return null
  if (own.type === 'array') return []
  if (own.type === 'boolean') return false
  if (own.type === 'number') return 0
  if (own.type === 'string') return own.format === 'decimal' ? '0' : ''
  return emptyObject(own)
}

const emptyObject = (schema: Schema) => {
  const made: Record<string, unknown> = {}
  for (const name of schema.required ?? []) {
    const property = schema.properties?.[name]
    if (property) made[name] = emptiest(property)
  }
  return made
}

const known = new Map<string, Record<string, unknown>>()

/** A fresh object with every field that the SDK's type requires; serialisers are not needed after that. */
export function skeleton(name: string): Record<string, unknown> {
  const found = known.get(name) ?? emptyObject(definition(name))
  known.set(name, found)
  return structuredClone(found)
}
