import { type JsonSchema, typesOf } from './openapi-example.ts'

export type FieldRow = { name: string; type: string; required: boolean; notes: string }

/** The fields of a schema as rows of a table; what lies deeper is named by its path, `plans[].price`. */
export function rowsOf(schema: JsonSchema, path = ''): FieldRow[] {
  const inner = insideOf(schema)
  if (inner.schema !== schema) return rowsOf(inner.schema, path + inner.step)
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = path ? `${path}.${key}` : key
    const row = { name, type: typeOf(field), required: required.includes(key), notes: notesOf(field) }
    return [row, ...rowsOf(field, name)]
  })
}

/** Steps into lists, records and alternatives, to where the named fields are. */
function insideOf(schema: JsonSchema): { schema: JsonSchema; step: string } {
  if (schema.items) return { schema: schema.items, step: '[]' }
  if (schema.properties) return { schema, step: '' }
  if (typeof schema.additionalProperties === 'object')
    return { schema: schema.additionalProperties, step: '{}' }
  const arm = mergedArms(schema)
  return { schema: arm ?? schema, step: '' }
}

/** Alternatives as one: a field that not every arm has is optional. */
function mergedArms({ anyOf }: JsonSchema): JsonSchema | null {
  const arms = anyOf?.filter(arm => arm.properties || arm.items) ?? []
  const [first, ...rest] = arms
  if (!first || rest.length === 0) return first ?? null
  return {
    properties: Object.assign({}, ...arms.map(arm => arm.properties)),
    required: (first.required ?? []).filter(name => rest.every(arm => arm.required?.includes(name))),
  }
}

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.items) return `list of ${plural(typeOf(schema.items))}`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  return typesOf(schema).join(' or ') || 'anything'
}

const plural = (type: string) => (/ or |^list /.test(type) ? type : `${type}s`)

function notesOf(schema: JsonSchema): string {
  const { minLength, maxLength } = schema
  const choices = schema.enum ?? schema.items?.enum
  return [
    schema.description,
    choices && `One of: ${choices.join(', ')}.`,
    schema.format && formats[schema.format],
    minLength !== undefined && minLength > 1 && `At least ${minLength} characters.`,
    maxLength !== undefined && `At most ${maxLength} characters.`,
    schema.default !== undefined && `Without it: ${String(schema.default)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const formats: Record<string, string> = {
  'date-time': 'A time in UTC, ISO 8601.',
  uuid: 'A UUID.',
}
