import { z } from 'zod'
import type { JsonSchema } from './openapi-example.ts'

type Named = Record<string, JsonSchema>
export type Described = {
  /** Refers to named schemas by `$ref`, as in the OpenAPI document. */
  schema: JsonSchema
  named: Named
  /** The same with every named schema in its place. */
  whole: JsonSchema
}

/** The JSON schema of a request (`input`) or reply (`output`). A schema has a name when its meta has an `id`. */
export function describeSchema(schema: z.ZodType, io: 'input' | 'output'): Described {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: keepExamples,
  })
  const text = JSON.stringify(json).replaceAll('"#/$defs/', `"${components}`)
  const { $defs = {}, ...own }: JsonSchema & { $defs?: Named } = JSON.parse(text)
  return { schema: own, named: $defs, whole: resolveReferences(own, $defs) as JsonSchema } // as: a schema whose references are replaced by schemas
}

/** zod drops examples of transformed schemas, because they could be of the result. Ours are always of the input. */
function keepExamples({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType
  jsonSchema: { examples?: unknown }
}) {
  const examples = z.globalRegistry.get(zodSchema)?.examples
  if (examples) jsonSchema.examples = examples
}

/** The same without references, for code that traverses it. */
export const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => describeSchema(schema, io).whole

const components = '#/components/schemas/'

function resolveReferences(node: unknown, named: Named): unknown {
  if (Array.isArray(node)) return node.map(item => resolveReferences(item, named))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...own } = node as { $ref?: unknown } // as: an object of a JSON schema
  const resolved = Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, resolveReferences(value, named)]),
  )
  if (typeof $ref !== 'string') return resolved
  return { ...(resolveReferences(named[$ref.slice(components.length)], named) as object), ...resolved } // as: a reference leads to a schema
}

/** Collects named schemas. Each name belongs to one schema. */
export function collectNamed() {
  const schemas: Named = {}
  return {
    schemas,
    add(named: Named) {
      for (const [name, schema] of Object.entries(named)) {
        if (JSON.stringify(schemas[name] ?? schema) !== JSON.stringify(schema))
          throw new Error(`Two schemas have the name ${name}`)
        schemas[name] = schema
      }
    },
  }
}
