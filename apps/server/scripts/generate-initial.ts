import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Writes db/migrations/0001_initial.sql, the schema that the steps begin with, from the files of db/schema. Only before
 * the first release: afterwards a change of the schema is a new step.
 */
const db = new URL('../src/db/', import.meta.url)
const files = globSync('schema/*.sql', { cwd: fileURLToPath(db) }).sort()
const withoutComments = (text: string) => text.replace(/^ *--.*\n/gm, '')
const text = files.map(file => withoutComments(readFileSync(new URL(file, db), 'utf8'))).join('\n')
writeFileSync(
  new URL('migrations/0001_initial.sql', db),
  `-- The schema that the steps begin with. Written by apps/server/scripts/generate-initial.ts; read db/schema instead.\n\n${text}`,
)
