import { readFileSync } from 'node:fs'

/** The part of JSON Schema that scripts/derive-schemas.ts writes. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: 'decimal'
  const?: unknown
  enum?: (string | number)[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

interface SchemaFile {
  sdk: string
  apiVersion: string
  definitions: Record<string, Schema>
}

const file = new URL('../generated/stripe-schemas.json', import.meta.url)
const loaded: SchemaFile = JSON.parse(readFileSync(file, 'utf8'))

export const { apiVersion, definitions } = loaded

export function definition(name: string): Schema {
  const found = definitions[name]
  if (!found) throw new Error(`no schema is called ${name}`)
  return found
}

const refName = (schema: Schema) => schema.$ref?.slice('#/definitions/'.length)

export const resolveSchema = (schema: Schema): Schema => {
  const name = refName(schema)
  return name ? definition(name) : schema
}

const exceptions: Record<string, string> = { event: 'EventBase', line_item: 'InvoiceLineItem' }

/** The definition of an object, by its `object` field: `billing.meter_event` is MeterEvent. */
export function definitionNameOf(object: string, deleted: boolean): string {
  const words = object.slice(object.indexOf('.') + 1).split('_')
  const name = exceptions[object] ?? words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return deleted ? `Deleted${name}` : name
}
