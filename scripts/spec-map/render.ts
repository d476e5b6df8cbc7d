import type { Section } from './items.ts'
import type { Proof } from './titles.ts'

const cell = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replace(/\s+/g, ' ')

/** A tag may be written with hyphens or underscores. */
const same = (tag: string) => tag.replaceAll('_', '-')

/** Markdown: each item with the tests that cover it, or a gap. */
export function renderCoverage(sections: Section[], proofs: Proof[]): string {
  const byTag = Map.groupBy(proofs, proof => same(proof.tag))
  const proven = (section: Section) => section.items.filter(item => byTag.has(same(item.id))).length
  const total = sections.reduce((sum, section) => sum + section.items.length, 0)
  const done = sections.reduce((sum, section) => sum + proven(section), 0)
  const lines = [
    '# What is proven, and by which test',
    '',
    'Made by `npm run coverage` from docs/spec-items.txt and the `[kind:name]` tags in the titles of tests. Do not edit.',
    '',
    `**${done} of ${total} items have a test, ${total - done} are gaps.**`,
    '',
    '| Section | proven | items |',
    '|---|---:|---:|',
    ...sections.map(section => `| ${section.title} | ${proven(section)} | ${section.items.length} |`),
  ]
  for (const section of sections) {
    lines.push('', `## ${section.title}`, '', '| Item | What | Proof |', '|---|---|---|')
    for (const { id, what } of section.items) {
      const tests = (byTag.get(same(id)) ?? []).map(proof => `${proof.file}: ${cell(proof.title)}`)
      lines.push(`| \`${id}\` | ${cell(what)} | ${tests.length > 0 ? tests.join('<br>') : '**gap**'} |`)
    }
  }
  return `${lines.join('\n')}\n`
}

/** Tags that no item has: a spelling mistake in a title, or an item that was renamed. */
export function unknownTags(sections: Section[], proofs: Proof[]): string[] {
  const known = new Set(sections.flatMap(section => section.items.map(item => same(item.id))))
  return proofs.filter(proof => !known.has(same(proof.tag))).map(proof => `[${proof.tag}] in ${proof.file}`)
}
