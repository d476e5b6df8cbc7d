import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseItems } from './spec-map/items.ts'
import { renderCoverage, unknownTags } from './spec-map/render.ts'
import { allProofs } from './spec-map/titles.ts'

const root = join(import.meta.dirname, '..')

/** The map of specification items to tests as Markdown, and the tags that match no item. */
export function currentCoverage(): { text: string; unknown: string[] } {
  const sections = parseItems(readFileSync(join(root, 'docs/spec-items.txt'), 'utf8'))
  const proofs = allProofs(root)
  return { text: renderCoverage(sections, proofs), unknown: unknownTags(sections, proofs) }
}

if (import.meta.main) {
  const { text, unknown } = currentCoverage()
  const folder = join(root, '.cache')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'coverage.md'), text)
  console.log(/\*\*(.+)\*\*/.exec(text)?.[1])
  for (const tag of unknown) console.error(`Unknown tag ${tag}`)
  process.exitCode = unknown.length > 0 ? 1 : 0
}
