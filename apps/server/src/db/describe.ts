import type { Client } from 'pg'

const types: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  'character varying': 'string',
  boolean: 'boolean',
  integer: 'number',
  bigint: 'number',
  bytea: 'Buffer',
  jsonb: 'Json',
  'timestamp with time zone': 'Date',
  // Only arrays of text are in use.
  ARRAY: 'string[]',
}

type Column = {
  table_name: string
  column_name: string
  data_type: string
  is_nullable: string
  column_default: string | null
  is_generated: 'ALWAYS' | 'NEVER'
}

/** The tables of a migrated database as Kysely's types. */
export async function describeSchema(client: Client): Promise<string> {
  const { rows } = await client.query<Column>(
    `select table_name, column_name, data_type, is_nullable, column_default, is_generated from information_schema.columns
     where table_schema = 'public' order by table_name, ordinal_position`,
  )
  const tables = new Map<string, string[]>()
  for (const column of rows) {
    const base = types[column.data_type]
    if (!base) throw new Error(`No type for ${column.data_type} (${column.table_name}.${column.column_name})`)
    const type = column.is_nullable === 'YES' ? `${base} | null` : base
    const lines = tables.get(column.table_name) ?? []
    const given = column.column_default === null && column.is_generated === 'NEVER'
    lines.push(`    ${column.column_name}: ${given ? type : `Generated<${type}>`}`)
    tables.set(column.table_name, lines)
  }
  const body = [...tables].map(([name, lines]) => `  ${name}: {\n${lines.join('\n')}\n  }`).join('\n')
  return `// Written by apps/server/scripts/generate-schema.ts from the database schema. Do not edit.
import type { Generated } from 'kysely'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export type DB = {
${body}
}
`
}
