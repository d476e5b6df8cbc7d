import { definition, resolveSchema, type Schema } from './definitions.ts'

/** The empty value of a schema: null if allowed, otherwise an empty value of its type. */
function emptyValue(schema: Schema): unknown {
  const own = resolveSchema(schema)
  if (own.const !== undefined) return own.const
  if (own.enum) return own.enum[0]
  if (own.anyOf) {
    if (own.anyOf.some(arm => arm.type === 'null')) return null
    const [first] = own.anyOf
    return first ? emptyValue(first) : null
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
    if (property) made[name] = emptyValue(property)
  }
  return made
}

const templates = new Map<string, Record<string, unknown>>()

/** A new object with every field that the SDK's type requires, so that no serializer is needed. */
export function emptyStripeObject(name: string): Record<string, unknown> {
  const found = templates.get(name) ?? emptyObject(definition(name))
  templates.set(name, found)
  return structuredClone(found)
}
