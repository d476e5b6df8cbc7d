import { join } from 'node:path'
import { buildWeb } from './lib/web-build.ts'

try {
  await buildWeb(join(import.meta.dirname, '..'))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
