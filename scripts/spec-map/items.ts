type Item = { id: string; what: string }
export type Section = { title: string; items: Item[] }

/** Reads docs/spec-items.txt: `## Section` lines and `id | description` lines; `#` starts a comment. */
export function parseItems(text: string): Section[] {
  const sections: Section[] = []
  const seen = new Set<string>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('## ')) {
      sections.push({ title: line.slice(3).trim(), items: [] })
      continue
    }
    if (line.trim() === '' || line.startsWith('# ')) continue
    const [id, what, ...rest] = line.split(' | ')
    const section = sections.at(-1)
    if (!id || !what || rest.length > 0 || section === undefined || !/^[a-z]+:[^[\]]+$/.test(id)) {
      throw new Error(`docs/spec-items.txt:${index + 1} is not "kind:name | what it is": ${line}`)
    }
    if (seen.has(id)) throw new Error(`docs/spec-items.txt:${index + 1} has the id ${id} a second time`)
    seen.add(id)
    section.items.push({ id, what })
  }
  return sections
}
